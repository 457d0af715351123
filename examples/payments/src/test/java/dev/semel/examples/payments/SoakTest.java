package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The short version of {@code ./semel soak}. */
class SoakTest {

    private static final int SECONDS = Integer.getInteger("semel.soak.seconds", 12);

    @Test
    void everyClientGetsWhatWasDoneWhateverFails() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (Soak soak = new Soak(1, new PrintStream(output, true, StandardCharsets.UTF_8))) {
            assertThat(soak.run(Duration.ofSeconds(SECONDS)))
                    .as(() -> output.toString(StandardCharsets.UTF_8))
                    .isEmpty();
            soak.verdict();
        }
        assertThat(output.toString(StandardCharsets.UTF_8)).containsPattern("[1-9][0-9]* succeeded");
    }
}
