package dev.semel.testkit.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RaceTesterTest {

    @Test
    void returnsTheResultsInTheOrderOfTheRacers() {
        assertThat(RaceTester.race(5, i -> i * i)).containsExactly(0, 1, 4, 9, 16);
    }

    /** Racers that ran one after another would wait for each other here until the barrier breaks. */
    @Test
    void allRacersRunAtTheSameTime() {
        CyclicBarrier barrier = new CyclicBarrier(8);

        assertThat(RaceTester.race(8, i -> {
                    barrier.await(30, TimeUnit.SECONDS);
                    return true;
                }))
                .hasSize(8)
                .containsOnly(true);
    }

    @Test
    void aFailingRacerFailsTheRace() {
        assertThatThrownBy(() -> RaceTester.race(3, i -> {
                    if (i == 1) {
                        throw new IOException("out of fuel");
                    }
                    return i;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("racer 1 failed")
                .hasRootCauseMessage("out of fuel");
    }
}
