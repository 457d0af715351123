package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.policy.Retention;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetentionTextTest {

    private static final Retention MONTH = Retention.of(Duration.ofDays(30));

    @Test
    void theDefaultTakesNoRoom() {
        assertThat(RetentionText.encode(Retention.DEFAULT)).isNull();
        assertThat(RetentionText.decode(null)).isEqualTo(Retention.DEFAULT);
    }

    @Test
    void leavesOutWhatIsZero() {
        assertThat(RetentionText.encode(MONTH)).isEqualTo("PT720H");
        assertThat(RetentionText.encode(MONTH.withAudit(Duration.ofDays(7)))).isEqualTo("PT720H/PT168H");
        assertThat(RetentionText.encode(MONTH.withTombstone(Duration.ofDays(90))))
                .isEqualTo("PT720H//PT2160H");
    }

    @Test
    void readsBackWhatItWrote() {
        Retention exact = new Retention(Duration.ofNanos(1_234_567), Duration.ofMillis(1), Duration.ofDays(3650));
        for (Retention retention : new Retention[] {
            MONTH, exact, MONTH.withAudit(Duration.ofDays(7)), MONTH.withTombstone(Duration.ofDays(1))
        }) {
            assertThat(RetentionText.decode(RetentionText.encode(retention))).isEqualTo(retention);
        }
    }

    @Test
    void refusesWhatIsNoRetention() {
        assertThatThrownBy(() -> RetentionText.decode("PT1H/PT1H/PT1H/PT1H"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
