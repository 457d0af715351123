package dev.semel.jdbc.epoch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** A file beside a database that remembers how far it had come, for a database that is itself a file. */
record EpochFile(Path path) {

    /** The last written epoch; {@code null} if there is none. */
    @Nullable
    Epoch read() throws IOException {
        String text;
        try {
            text = Files.readString(path).strip();
        } catch (NoSuchFileException e) {
            return null;
        }
        String[] parts = text.split(" ");
        try {
            return new Epoch(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(
                    path + " does not say how far its database had come, but \"" + text
                            + "\"; remove it if that is meant",
                    e);
        }
    }

    /** Replaces the file as a whole. Like the database beside it, only its owner can read it. */
    void write(Epoch epoch) throws IOException {
        Path fresh = Files.createTempFile(path.toAbsolutePath().getParent(), path.getFileName() + "-", ".new");
        Files.writeString(fresh, epoch.number() + " " + epoch.beat() + "\n");
        Files.move(fresh, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
