package dev.semel.torture.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock of one process that can be moved while the process runs, by a small library that stands before the C
 * library's. Only the wall clock is moved; time that merely passes is not.
 */
public record ShiftedClock(Path library, Path offset) {

    /** Compiles the library; empty where there is no C compiler. */
    public static Optional<Path> compile(Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve("shiftedclock.c");
        try (InputStream in = ShiftedClock.class.getResourceAsStream("shiftedclock.c")) {
            if (in == null) {
                throw new IOException("shiftedclock.c is missing from the jar");
            }
            Files.copy(in, source);
        }
        Path library = directory.resolve("shiftedclock.so");
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-ldl")
                    .redirectErrorStream(true)
                    .start();
            compiler.getInputStream().readAllBytes();
            return compiler.waitFor() == 0 ? Optional.of(library) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public static ShiftedClock of(Path library, Path offset) throws IOException {
        ShiftedClock clock = new ShiftedClock(library, offset);
        clock.shift(Duration.ZERO);
        return clock;
    }

    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "SHIFTED_CLOCK", offset.toString());
    }

    /** Moves the clock, away from the true time by this much. */
    public void shift(Duration by) throws IOException {
        Path next = offset.resolveSibling(offset.getFileName() + ".new");
        Files.writeString(next, Long.toString(by.toSeconds()) + "\n");
        Files.move(next, offset, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
}
