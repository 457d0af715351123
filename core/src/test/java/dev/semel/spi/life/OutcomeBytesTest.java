package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import dev.semel.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeBytesTest {

    @Test
    void keepsEverythingOfAnOutcome() {
        comesBack(Outcome.failed()
                .status(599)
                .format(Short.MAX_VALUE)
                .contentType("text/plain; charset=\"utf-8\"")
                .headers(List.of(new Header("Link", "ü \uD83D\uDE00"), new Header("Link", ""), new Header("a", "b")))
                .payload(new byte[] {0, -1, 127})
                .build());
    }

    @Test
    void keepsAnOutcomeThatIsNoResponse() {
        comesBack(Outcome.succeeded().build());
    }

    @Test
    void tellsAMissingPayloadFromAnEmptyOne() {
        comesBack(Outcome.succeeded().payload((byte[]) null).build());
        comesBack(Outcome.succeeded().payload(new byte[0]).build());
    }

    @Test
    void refusesAVersionThatItDoesNotKnow() {
        byte[] bytes = OutcomeBytes.encode(Outcome.succeeded().build());
        bytes[0] = 2;

        assertThatThrownBy(() -> OutcomeBytes.decode(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version 2");
    }

    private static void comesBack(Outcome outcome) {
        assertThat(OutcomeBytes.decode(OutcomeBytes.encode(outcome))).isEqualTo(outcome);
    }
}
