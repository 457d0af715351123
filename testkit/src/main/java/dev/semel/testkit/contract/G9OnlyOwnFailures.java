package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.TestGroup;
import org.junit.jupiter.api.Test;

/**
 * A failure around an operation never becomes its outcome: only an accepted settle or a decision gives a key an
 * outcome.
 */
public interface G9OnlyOwnFailures extends TestGroup {

    @Test
    default void anAbandonedKeyHasNoOutcome() {
        unknown(key());

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
        hasNoOutcome(key(), KeyState.UNKNOWN);
    }

    @Test
    default void aLapsedKeyHasNoOutcome() {
        Lease lease = lapsed(key());

        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
        hasNoOutcome(key(), KeyState.LAPSED);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aSettleThatIsRefusedStoresNothing() {
        Lease stalled = lapsed(key());
        Lease successor = node().takenOver(key());

        assertThat(node().settle(stalled, OTHER)).isFalse();

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
        hasNoOutcome(key(), KeyState.PENDING);
        assertThat(node().settle(successor, DONE)).isTrue();
        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aStepIsNoOutcome() {
        Lease lease = node().acquire(key());
        assertThat(node().recordStep(lease, "charge", new byte[] {1})).isTrue();

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
        hasNoOutcome(key(), KeyState.PENDING);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    private void hasNoOutcome(Key key, KeyState state) {
        if (node().has(Inspecting.class)) {
            assertThat(node().record(key).state()).isEqualTo(state);
            assertThat(node().record(key).outcome()).isNull();
        }
    }
}
