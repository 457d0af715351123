package dev.semel.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadDriverTest {

    private static final Duration BRIEF = Duration.ofMillis(50);

    @Test
    void countsEveryOperationOfEveryThread() throws Exception {
        AtomicInteger operations = new AtomicInteger();

        Sample sample = LoadDriver.threads(3, BRIEF, operations::incrementAndGet);

        assertThat(sample.all()).isEqualTo(operations.get()).isPositive();
        assertThat(sample.inTime()).isLessThanOrEqualTo(sample.all());
    }

    @Test
    void keepsTheAskedNumberInFlight() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        LoadDriver.inFlight(4, BRIEF, () -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            return CompletableFuture.runAsync(inFlight::decrementAndGet);
        });

        assertThat(most.get()).isBetween(1, 4);
        assertThat(inFlight).hasValue(0);
    }

    @Test
    void goesOnUntilSomethingHasEnded() throws Exception {
        Executor slow = CompletableFuture.delayedExecutor(4 * BRIEF.toMillis(), TimeUnit.MILLISECONDS);

        Sample sample = LoadDriver.inFlight(2, BRIEF, () -> CompletableFuture.runAsync(() -> {}, slow));

        assertThat(sample.inTime()).isEqualTo(2);
        assertThat(sample.perSecond()).isBetween(0.0, 2 / (4 * BRIEF.toMillis() / 1e3));
        assertThat(sample.millis(0.5)).isGreaterThan(BRIEF.toMillis());
    }

    @Test
    void startsOperationsAtTheAskedRate() throws Exception {
        Sample sample =
                LoadDriver.openLoop(200, Duration.ofMillis(100), () -> CompletableFuture.completedFuture("done"));

        assertThat(sample.all()).isEqualTo(20);
    }

    @Test
    void failsWithTheFirstFailureOfAnOperation() {
        IllegalStateException failure = new IllegalStateException("lost");

        assertThatThrownBy(() -> LoadDriver.threads(2, BRIEF, () -> {
                    throw failure;
                }))
                .hasRootCause(failure);
        assertThatThrownBy(() -> LoadDriver.inFlight(2, BRIEF, () -> CompletableFuture.failedFuture(failure)))
                .hasRootCause(failure);
        assertThatThrownBy(() -> LoadDriver.openLoop(100, BRIEF, () -> CompletableFuture.failedFuture(failure)))
                .hasRootCause(failure);
    }

    @Test
    void readsQuantilesFromTheLatencies() {
        Sample sample = Sample.of(4, 1, new long[] {4_000_000, 1_000_000, 3_000_000, 2_000_000});

        assertThat(sample.millis(0.5)).isEqualTo(2);
        assertThat(sample.millis(0.99)).isEqualTo(4);
        assertThat(sample.perSecond()).isEqualTo(4);
    }
}
