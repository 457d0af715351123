package dev.semel.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of secrets, for tests. */
public final class Secrets {

    private Secrets() {}

    /** Writes a file that only its owner can read. */
    public static Path write(Path file, String text) throws IOException {
        return mode(Files.writeString(file, text), "rw-------");
    }

    public static Path mode(Path file, String modes) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(modes));
    }
}
