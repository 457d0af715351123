package dev.semel.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransfersTest {

    private final List<String> brokenOff = new ArrayList<>();
    private final Transfers transfers = new Transfers(2);

    private Transfers.Transfer start(String name) {
        return transfers.start(() -> brokenOff.add(name));
    }

    @Test
    void theOneThatHasNotMovedForLongestEnds() {
        Transfers.Transfer first = start("first");
        start("second");
        first.touch();
        start("third");
        start("fourth");

        assertThat(brokenOff).containsExactly("second", "first");
    }

    @Test
    void whatHasEndedMakesRoom() {
        Transfers.Transfer first = start("first");
        start("second");
        first.ended();
        start("third");

        assertThat(brokenOff).isEmpty();
    }
}
