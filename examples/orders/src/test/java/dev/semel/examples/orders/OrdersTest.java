package dev.semel.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The short version of {@code ./semel torture messaging}. */
class OrdersTest {

    private static final int KILLS = Integer.getInteger("semel.orders.kills", 2);

    @Test
    void eachRequestHasOneOrderAndOneShipmentWhateverIsKilled() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(new TortureCommand(KILLS, Duration.ofDays(1), new PrintStream(output, true, StandardCharsets.UTF_8))
                        .run())
                .isEmpty();
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("killed " + KILLS + " of " + KILLS + " times");
    }
}
