package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SettableClockTest {

    private static final Instant START = Instant.parse("2001-02-03T04:05:06Z");

    private final SettableClock clock = SettableClock.at(START);

    @Test
    void standsStill() {
        assertThat(clock.instant()).isEqualTo(START).isEqualTo(clock.instant());
    }

    @Test
    void movesOnAndBack() {
        clock.advance(Duration.ofHours(2));
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(7200));

        clock.advance(Duration.ofHours(-3));
        assertThat(clock.instant()).isEqualTo(START.minusSeconds(3600));
    }

    @Test
    void isSet() {
        clock.set(Instant.EPOCH);

        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        assertThat(clock).hasToString("SettableClock[1970-01-01T00:00:00Z]");
    }
}
