package dev.semel.cli.move;

import dev.semel.Outcome;
import dev.semel.gateway.triage.Csv;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.util.CallerThread;
import io.vertx.core.json.JsonObject;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes keys with their responses to a file that can fill a table of the application's own. */
public final class TableExport {

    /** How many keys to ask for at a time: they come with their responses. */
    public static final int PAGE = 50;

    private static final List<String> COLUMNS = List.of(
            "digest",
            "namespace",
            "scope",
            "key",
            "operation",
            "state",
            "claimedAt",
            "settledAt",
            "expiresAt",
            "status",
            "contentType",
            "headers",
            "body");

    private static final Duration TELL = Duration.ofSeconds(2);

    private final Inspecting store;
    private final boolean csv;
    private final PrintWriter progress;
    private long written;
    private long told = System.nanoTime();

    /** @param csv whether to write CSV, or else one JSON object per line */
    public TableExport(Inspecting store, boolean csv, PrintWriter progress) {
        this.store = store;
        this.csv = csv;
        this.progress = progress;
    }

    public long written() {
        return written;
    }

    /**
     * Writes the keys that the queries find. The file is written completely or not at all, and only its owner can read
     * it.
     */
    public void write(Path file, List<KeyQuery.Builder> queries) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        try (Writer out = new BufferedWriter(Channels.newWriter(
                Files.newByteChannel(
                        part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly()),
                StandardCharsets.UTF_8))) {
            if (csv) {
                out.write(Csv.exactLine(new ArrayList<@Nullable String>(COLUMNS)));
            }
            for (KeyQuery.Builder query : queries) {
                write(out, query.build());
            }
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private void write(Writer out, KeyQuery first) throws IOException {
        KeyQuery query = first;
        while (true) {
            KeyPage page = CallerThread.await(store.page(query));
            for (KeyRecord each : page.records()) {
                if (each.state() != KeyState.EXPIRED && each.audited() == null) {
                    JsonObject row = row(each);
                    out.write(csv ? Csv.exactLine(cells(row)) : row.encode() + "\n");
                    written++;
                }
            }
            if (System.nanoTime() - told > TELL.toNanos()) {
                told = System.nanoTime();
                progress.println(written + " keys exported");
                progress.flush();
            }
            if (page.next() == null) {
                return;
            }
            query = query.after(page.next());
        }
    }

    private static JsonObject row(KeyRecord each) {
        Outcome outcome = each.outcome();
        byte[] payload = outcome == null ? null : outcome.payload();
        return new JsonObject()
                .put("digest", each.key().digest().toString())
                .put("namespace", each.key().namespace().toString())
                .put("scope", each.key().scope())
                .put("key", each.key().value())
                .put("operation", each.operation())
                .put("state", KeyJson.name(each.state()))
                .put("claimedAt", KeyJson.time(each.claimedAt()))
                .put("settledAt", KeyJson.time(each.settledAt()))
                .put("expiresAt", KeyJson.time(each.expiresAt()))
                .put("status", outcome == null || outcome.status() == Outcome.NO_STATUS ? null : outcome.status())
                .put("contentType", outcome == null ? null : outcome.contentType())
                .put("headers", outcome == null ? null : ResponseHeaders.write(outcome.headers()))
                .put("body", payload == null ? null : Base64.getEncoder().encodeToString(payload));
    }

    private static List<@Nullable String> cells(JsonObject row) {
        List<@Nullable String> cells = new ArrayList<>();
        for (String column : COLUMNS) {
            Object value = row.getValue(column);
            cells.add(value == null ? null : value.toString());
        }
        return cells;
    }
}
