package dev.semel.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoundsTest {

    private final Rounds rounds = new Rounds();

    @Test
    void comparesWithinARound() {
        add("fast", 20, 40, 300);
        add("slow", 10, 10, 100);

        assertThat(rounds.throughput("fast", "slow")).isEqualTo(3);
    }

    @Test
    void takesTheMiddleOfAnEvenNumberOfRounds() {
        add("fast", 10, 20);

        assertThat(rounds.median("fast", Result::perSecond)).isEqualTo(15);
    }

    @Test
    void saysWhatWasNotMeasured() {
        assertThatThrownBy(() -> rounds.median("nothing", Result::p50)).hasMessageContaining("nothing");
    }

    private void add(String what, double... perSecond) {
        for (double value : perSecond) {
            rounds.add(what, new Result(value, 1, 1, 1, 1));
        }
    }
}
