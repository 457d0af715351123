package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the short form of the check of the formal model. */
class FormalModelTest {

    private static final Path CHECK = Path.of("check");

    @Test
    void theModelHoldsAndEveryBrokenVariantIsCaught() throws IOException, InterruptedException {
        requireCommand("spin");
        requireCommand("cc");

        Process check = new ProcessBuilder("sh", CHECK.toString(), "--quick")
                .redirectErrorStream(true)
                .start();
        String table = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(check.waitFor()).as(table).isZero();
        assertThat(table).contains("variants are as expected");
    }

    private static void requireCommand(String name) {
        boolean present = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator)))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
        assumeTrue(present, "there is no command " + name + "; on Debian: apt-get install spin gcc");
    }
}
