package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for the files of a server, which is removed with all that is in it. */
public record TempDirectory(Path path) implements AutoCloseable {

    public static TempDirectory create(String name) throws IOException {
        return new TempDirectory(Files.createTempDirectory("semel-" + name));
    }

    /** Removes a directory with all that is in it. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete(path);
    }
}
