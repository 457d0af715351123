package dev.semel.cli.move;

import dev.semel.gateway.config.ConfigException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * How far an import has come, in a file that is replaced as a whole. It is never ahead of the store: what it leaves out is imported
 * once more, which changes nothing.
 */
final class ImportProgress {

    private final Path file;
    private final JsonObject about;

    /** The position to begin at; {@code null} for the first row. */
    private @Nullable Object position;

    private ImportCounts counts = new ImportCounts();

    /** @param about what must be the same for an import to go on */
    private ImportProgress(Path file, JsonObject about) {
        this.file = file;
        this.about = about;
    }

    /** Reads how far the import has come that this is about; one that is over, or has not begun, begins with the first row. */
    static ImportProgress read(Path file, JsonObject about, boolean restart) throws IOException {
        ImportProgress progress = new ImportProgress(file, about);
        if (restart || !Files.exists(file)) {
            return progress;
        }
        JsonObject saved;
        try {
            saved = new JsonObject(Files.readString(file));
        } catch (DecodeException e) {
            throw new ConfigException(file + " cannot be read; --restart begins with the first row again", e);
        }
        if (saved.getBoolean("finished", false)) {
            return progress;
        }
        for (String name : about.fieldNames()) {
            JsonObject before = saved.getJsonObject("about", new JsonObject());
            if (!about.getString(name).equals(before.getString(name))) {
                throw new ConfigException(file + " is about an import that was not finished, with another " + name
                        + "; --restart begins with the first row again, --progress names another file");
            }
        }
        progress.position = saved.getValue("position");
        progress.counts = ImportCounts.of(saved.getJsonObject("counts"));
        return progress;
    }

    @Nullable
    Object position() {
        return position;
    }

    ImportCounts counts() {
        return counts.copy();
    }

    /**
     * Everything before a position is in the store.
     *
     * @param next {@code null} if that was the last row
     */
    void save(@Nullable Object next, ImportCounts done) throws IOException {
        JsonObject json = new JsonObject()
                .put("about", about)
                .put("finished", next == null)
                .put("position", next)
                .put("counts", done.toJson());
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(json.encodePrettily().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
