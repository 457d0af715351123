package dev.semel.spi.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A clock that is compared with that of an engine which has to be asked for its time. */
class ComparedClockTest {

    private Duration wrongBy = Duration.ZERO;
    private boolean engineAnswers = true;
    private int requests;

    private final InstantSource machine = () -> Instant.now().plus(wrongBy);
    private final SharedClock clock = new SharedClock(
            "the engine", machine, Duration.ofSeconds(2), new EngineTime(this::engineTime, Duration.ofMillis(1)));

    private CompletionStage<Instant> engineTime() {
        requests++;
        return engineAnswers
                ? CompletableFuture.completedFuture(Instant.now())
                : CompletableFuture.failedFuture(new IOException("no server answers"));
    }

    @Test
    void asksOnceForManyCalls() {
        for (int i = 0; i < 10; i++) {
            compare();
        }

        assertThat(requests).isEqualTo(1);
        clock.requireGood();
    }

    @Test
    void noticesAtOnceThatTheClockWasSet() {
        compare();
        wrongBy = Duration.ofMinutes(-1);

        compare();

        assertThatThrownBy(clock::requireGood)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Synchronise the clock");
    }

    @Test
    void goesOnOnceTheClockIsPutRight() {
        wrongBy = Duration.ofMinutes(1);
        compare();
        assertThat(clock.isFoundWrong()).isTrue();
        wrongBy = Duration.ZERO;

        compare();

        clock.requireGood();
    }

    @Test
    void asksAgainAfterAFailure() {
        engineAnswers = false;
        assertThatThrownBy(this::compare).hasCauseInstanceOf(IOException.class);
        engineAnswers = true;

        compare();

        assertThat(requests).isEqualTo(2);
    }

    @Test
    void aClockWithNothingToCompareItWithIsReady() {
        SharedClock alone = new SharedClock("the engine", machine, Duration.ofSeconds(2));

        assertThat(alone.compared().toCompletableFuture()).isCompleted();
    }

    private void compare() {
        clock.compared().toCompletableFuture().join();
    }
}
