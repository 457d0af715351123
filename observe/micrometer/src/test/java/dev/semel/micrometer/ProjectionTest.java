package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.policy.Retention;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ProjectionTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Projection projection = new Projection(nanos::get);

    @Test
    void isWhatIsSettledPerSecondTimesHowLongItIsKept() {
        settle(600, "charge", Duration.ofHours(24));
        settle(60, "password", Duration.ofMinutes(5));
        pass(Duration.ofMinutes(1));

        assertThat(projection.records()).isCloseTo(10 * 86_400 + 1 * 300, Percentage.withPercentage(0.001));
    }

    @Test
    void forgetsWhatIsMoreThanAnHourAgo() {
        settle(1_000_000, "charge", Duration.ofHours(24));
        pass(Duration.ofMinutes(1));
        projection.records();
        for (int i = 0; i < 61; i++) {
            pass(Duration.ofMinutes(1));
            projection.records();
        }

        assertThat(projection.records()).isZero();
    }

    @Test
    void isNothingBeforeAnyTimeHasPassed() {
        settle(10, "charge", Duration.ofHours(24));

        assertThat(projection.records()).isZero();
    }

    private void settle(int times, String operation, Duration retention) {
        for (int i = 0; i < times; i++) {
            projection.settled(operation, Retention.of(retention));
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
