package dev.semel.examples.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChargesTest {

    @TempDir
    private Path directory;

    @Test
    void aSecondStartOfTheProgramPrintsTheReceiptOfTheFirst() throws Exception {
        String first = run("order-1");

        assertThat(first).startsWith("Receipt[id=").contains("cents=4200]");
        assertThat(run("order-1")).isEqualTo(first);
        assertThat(run("order-2")).startsWith("Receipt[id=").isNotEqualTo(first);
    }

    private String run(String order) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Charges.class.getName(),
                        order)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).isZero();
        return output;
    }
}
