package dev.semel.http.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ObservedDurationsTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ObservedDurations durations = new ObservedDurations();

    private long after(double age, double leaseLeft) {
        return durations.retryAfter("charge", seconds(age), seconds(leaseLeft));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (seconds * 1000));
    }

    @Test
    void p8IsAtLeastOneSecond() {
        assertThat(after(0, 30)).isEqualTo(1);
        assertThat(after(10, 0)).isEqualTo(1);
        assertThat(after(10, -5)).isEqualTo(1);
    }

    @Test
    void p8IsTheRestOfATypicalRun() {
        durations.observe("charge", Duration.ofSeconds(10));

        assertThat(after(0, 30)).isEqualTo(10);
        assertThat(after(7.5, 30)).isEqualTo(3);
        assertThat(after(9.9, 30)).isEqualTo(1);
    }

    @Test
    void p8IsAsLongAgainWhenARunTakesLongerThanUsual() {
        assertThat(after(4, 30)).isEqualTo(4);
        durations.observe("charge", Duration.ofSeconds(2));
        assertThat(after(8, 30)).isEqualTo(8);
    }

    @Test
    void p8IsNeverLaterThanTheLeaseEnds() {
        durations.observe("charge", Duration.ofMinutes(10));

        assertThat(after(1, 20)).isEqualTo(20);
        assertThat(after(1000, 20)).isEqualTo(20);
    }

    @Test
    void p8FollowsChangesAndKeepsOperationsApart() {
        durations.observe("other", Duration.ofMinutes(1));
        durations.observe("charge", Duration.ofSeconds(1));
        for (int i = 0; i < 50; i++) {
            durations.observe("charge", Duration.ofSeconds(20));
        }

        assertThat(durations.retryAfter("charge", Duration.ZERO, LEASE)).isEqualTo(20);
    }
}
