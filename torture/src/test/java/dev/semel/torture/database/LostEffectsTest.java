package dev.semel.torture.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostEffectsTest {

    private final LostEffects lost = new LostEffects();

    @Test
    void addsWhatARestoreHasRemoved() {
        lost.remember(Operation.SINGLE, List.of(effect("r1"), effect("r2")));
        lost.remember(Operation.SINGLE, List.of(effect("r1"), effect("r3")));

        assertThat(lost.with(Operation.SINGLE, List.of(effect("r1"), effect("r4"))))
                .extracting(Effect::request)
                .containsExactlyInAnyOrder("r1", "r2", "r3", "r4");
        assertThat(lost.with(Operation.TRANSACTION, List.of())).isEmpty();
    }

    @Test
    void keepsAnEffectThatIsThereTwice() {
        lost.remember(Operation.SINGLE, List.of(effect("r1")));

        assertThat(lost.with(Operation.SINGLE, List.of(effect("r1"), effect("r1"))))
                .hasSize(2);
    }

    private static Effect effect(String request) {
        return new Effect(Key.of("alice", "key"), request, 1, 17);
    }
}
