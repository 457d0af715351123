package dev.semel.cli.move;

import dev.semel.Outcome;
import dev.semel.cli.move.ImportCounts.Count;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.CallerThread;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Imports rows batch by batch, or reports in a dry run what it would do. */
final class TableImport {

    private static final int BATCH = 100;
    private static final int BATCH_BYTES = 8 << 20;
    private static final int SAMPLE = 10;
    private static final Duration TELL = Duration.ofSeconds(2);

    private final RowMapper mapper;
    private final Inspecting store;
    private final @Nullable Importing target;
    private final int listed;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<String, Long> reasons = new TreeMap<>();

    private ImportCounts counts = new ImportCounts();
    private int shown;
    private long told = System.nanoTime();

    /**
     * Makes an import.
     *
     * @param target {@code null} for one that changes nothing
     * @param listed how many rejected rows are listed
     */
    TableImport(
            RowMapper mapper,
            Inspecting store,
            @Nullable Importing target,
            int listed,
            PrintWriter out,
            PrintWriter err) {
        this.mapper = mapper;
        this.store = store;
        this.target = target;
        this.listed = listed;
        this.out = out;
        this.err = err;
    }

    ImportCounts counts() {
        return counts;
    }

    /** Imports the rows of a source that begins where the progress says. */
    void run(RowSource source, @Nullable ImportProgress progress) throws Exception {
        counts = progress == null ? new ImportCounts() : progress.counts();
        // The store's clock, never ahead of it: a key may live a moment longer than in its table, but not shorter.
        Instant clock = CallerThread.await(store.now());
        long started = System.nanoTime();
        SourceRow row = source.next();
        while (row != null) {
            Instant now = clock.plusNanos(System.nanoTime() - started);
            Map<Long, KeyRecord> batch = new LinkedHashMap<>();
            Object last = row.position();
            long bytes = 0;
            for (int i = 0; row != null && i < BATCH && bytes < BATCH_BYTES; i++) {
                last = row.position();
                bytes += read(row, counts.rows() + batch.size() + 1, now, batch);
                row = source.next();
            }
            if (target == null) {
                look(batch);
            } else {
                send(batch, target, now);
            }
            if (progress != null && row != null && !row.position().equals(last)) {
                progress.save(row.position(), counts);
            }
            tell();
        }
        if (progress != null) {
            progress.save(null, counts);
        }
        reasons.forEach((reason, rows) -> out.println(rows + " rows: " + reason));
        out.flush();
    }

    /** Reads a row into the batch; how many bytes it takes there. */
    private long read(SourceRow row, long number, Instant now, Map<Long, KeyRecord> batch) {
        MappedRow mapped = mapper.map(row, now);
        if (mapped instanceof MappedRow.Importable importable) {
            batch.put(number, importable.key());
            Outcome outcome = importable.key().outcome();
            byte[] payload = outcome == null ? null : outcome.payload();
            return payload == null ? 0 : payload.length;
        }
        if (mapped instanceof MappedRow.Rejected rejected) {
            reject(number, rejected.reason());
        } else {
            counts.add(mapped instanceof MappedRow.Expired ? Count.EXPIRED : Count.LEFT_OUT);
        }
        return 0;
    }

    private void reject(long number, String reason) {
        counts.add(Count.REJECTED);
        // Rows that differ in a value alone have one reason.
        reasons.merge(reason.replaceFirst("(?s), got .*| \".*?\"", ""), 1L, Long::sum);
        if (counts.of(Count.REJECTED) <= listed) {
            out.println("row " + number + ": " + reason);
        } else if (counts.of(Count.REJECTED) == listed + 1L) {
            out.println("more rows are rejected; --list N lists more of them");
        }
    }

    private void send(Map<Long, KeyRecord> batch, Importing importing, Instant now) {
        Map<Long, CompletionStage<Boolean>> answers = new LinkedHashMap<>();
        batch.forEach((number, key) -> answers.put(number, importing.importRecord(key, now)));
        answers.forEach((number, answer) -> {
            try {
                counts.add(CallerThread.await(answer) ? Count.IMPORTED : Count.KNOWN);
            } catch (PayloadTooLargeException e) {
                reject(number, "the store cannot keep the body: " + e.getMessage());
            }
        });
    }

    private void look(Map<Long, KeyRecord> batch) {
        List<CompletionStage<Boolean>> answers = new ArrayList<>();
        batch.values()
                .forEach(key -> answers.add(store.find(key.key().digest())
                        .thenApply(found -> found.isPresent() && !isSame(found.get(), key))));
        answers.forEach(answer -> counts.add(CallerThread.await(answer) ? Count.KNOWN : Count.IMPORTED));
        batch.forEach((number, key) -> {
            if (shown++ < SAMPLE) {
                show(number, key);
            }
        });
    }

    /** Whether the store has the key because it was imported before. */
    private static boolean isSame(KeyRecord found, KeyRecord key) {
        return found.token() == key.token()
                && found.state() == key.state()
                && found.fingerprint().equals(key.fingerprint());
    }

    private void show(long number, KeyRecord key) {
        Outcome outcome = key.outcome();
        byte[] payload = outcome == null ? null : outcome.payload();
        out.println("row " + number + ": " + key.state().name().toLowerCase(Locale.ROOT) + " " + key.operation() + " "
                + key.key().value() + " of " + key.key().scope()
                + (outcome == null
                        ? ""
                        : ", status " + outcome.status() + ", "
                                + (payload == null ? "no" : payload.length + " bytes of") + " body, until "
                                + key.expiresAt()));
    }

    private void tell() {
        if (System.nanoTime() - told > TELL.toNanos()) {
            told = System.nanoTime();
            err.println(counts.inWords(words()));
            err.flush();
        }
    }

    String words() {
        return target == null ? "would be imported" : "imported";
    }
}
