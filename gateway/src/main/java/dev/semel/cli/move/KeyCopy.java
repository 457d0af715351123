package dev.semel.cli.move;

import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.util.CallerThread;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Copies the keys of one store to another, page by page. */
public final class KeyCopy {

    private static final int PAGE = 100;
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    private final Inspecting source;
    private final Importing target;
    private final PrintWriter progress;
    private long copied;
    private long kept;
    private long pending;
    private long expired;
    private long failed;

    public KeyCopy(Inspecting source, Importing target, PrintWriter progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    public void run() {
        // The clock of the source, never ahead of it: a key may live a moment longer in its new place, but not shorter.
        Instant clock = CallerThread.await(source.statistics()).at();
        long started = System.nanoTime();
        long told = started;
        KeyQuery query = KeyQuery.builder(PAGE).build();
        while (true) {
            Instant asOf = clock.plusNanos(System.nanoTime() - started);
            KeyPage page = CallerThread.await(source.page(query));
            copy(page, asOf);
            if (System.nanoTime() - told > PROGRESS.toNanos()) {
                told = System.nanoTime();
                progress.println(inWords());
                progress.flush();
            }
            if (page.next() == null) {
                return;
            }
            query = query.after(page.next());
        }
    }

    private void copy(KeyPage page, Instant asOf) {
        Map<KeyRecord, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
        for (KeyRecord each : page.records()) {
            switch (each.state()) {
                case SUCCEEDED, FAILED, UNKNOWN ->
                    answers.put(each, target.importRecord(each, asOf).toCompletableFuture());
                case PENDING, LAPSED -> pending++;
                case EXPIRED -> expired++;
            }
        }
        answers.forEach((each, answer) -> {
            try {
                if (answer.join()) {
                    copied++;
                } else {
                    kept++;
                }
            } catch (CompletionException e) {
                failed++;
                Throwable cause = e.getCause() == null ? e : e.getCause();
                progress.println("key " + each.key().digest() + " was not copied: " + cause.getMessage());
            }
        });
    }

    public long failed() {
        return failed;
    }

    public String inWords() {
        String words = copied + " keys copied, " + kept + " left as the other store knows them";
        if (pending > 0) {
            words += ", " + pending + " pending or lapsed left behind: copy again when they have ended or are resolved";
        }
        if (failed > 0) {
            words += ", " + failed + " failed";
        }
        return words;
    }

    public String summary() {
        return "copied=" + copied + " kept=" + kept + " pending=" + pending + " expired=" + expired + " failed="
                + failed;
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("copied", copied)
                .put("kept", kept)
                .put("pending", pending)
                .put("expired", expired)
                .put("failed", failed);
    }
}
