package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resolutions of a lapsed or unknown key by an operator or a reconciler. */
public interface ResolvedKeys extends TestGroup {

    Resolution SETTLE = new Resolution.Settle(OTHER);
    Resolution RELEASE = new Resolution.Release();
    Resolution HOLD = new Resolution.Hold();

    @Test
    default void aLapsedKeyIsSettled() {
        Lease lease = lapsed(key());

        assertThat(node().resolve(lease, SETTLE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void anUnknownKeyIsSettled() {
        Lease lease = unknown(key());

        assertThat(node().resolve(lease, SETTLE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void aLapsedKeyIsReleased() {
        Lease lease = lapsed(key());

        assertThat(node().resolve(lease, RELEASE)).isTrue();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void anUnknownKeyIsReleased() {
        Lease lease = unknown(key());

        assertThat(node().resolve(lease, RELEASE)).isTrue();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void aLapsedKeyIsHeld() {
        Lease lease = lapsed(key());

        assertThat(node().resolve(lease, HOLD)).isTrue();

        assertThat(node().state(key())).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    default void aHeldKeyMayBeResolvedLater() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, HOLD)).isTrue();

        assertThat(node().resolve(lease, SETTLE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void theOwnerOfAHeldKeyMayStillSettleIt() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, HOLD)).isTrue();

        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void theOwnerOfAKeyThatWasSettledForItIsFencedOff() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, SETTLE)).isTrue();

        ownerIsFencedOff(lease);

        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void theOwnerOfAReleasedKeyIsFencedOff() {
        Lease lease = unknown(key());
        assertThat(node().resolve(lease, RELEASE)).isTrue();

        ownerIsFencedOff(lease);
        Lease next = node().acquire(key());
        ownerIsFencedOff(lease);

        assertThat(node().settle(next, DONE)).isTrue();
    }

    @Test
    default void aLiveKeyIsNotResolved() {
        Lease lease = node().acquire(key());

        isNotResolved(lease);

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aSettledKeyIsNotResolved() {
        Lease lease = node().settled(key(), DONE, KEPT);

        isNotResolved(lease);

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void anAbsentKeyIsNotResolved() {
        Lease lease = node().acquire(key());
        assertThat(node().release(lease)).isTrue();

        isNotResolved(lease);

        node().acquire(key());
    }

    /** A person looks at an attempt, and decides when another one has already replaced it. */
    @Test
    default void aDecisionOverAnEarlierAttemptIsRefused() {
        Lease first = lapsed(key());
        Lease second =
                node().acquire(ClaimTemplate.forKey(key()).withLease(SHORT).takingOver());
        bench().pass();

        isNotResolved(first);

        assertThat(node().state(key())).isEqualTo(KeyState.LAPSED);
        assertThat(node().resolve(second, SETTLE)).isTrue();
    }

    @Test
    default void ofTwoDecisionsExactlyOneCounts() {
        List<StoreNode> nodes = bench().nodes(2);
        for (Key key : bench().newKeys(5)) {
            Lease lease = unknown(key);

            List<Boolean> won = RaceTester.race(2, i -> nodes.get(i).resolve(lease, i == 0 ? SETTLE : RELEASE));

            assertThat(won).as("settled, released").containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    default void ofALateSettleAndADecisionExactlyOneCounts() {
        List<StoreNode> nodes = bench().nodes(2);
        for (Key key : bench().newKeys(10)) {
            Lease lease = unknown(key);

            List<Boolean> won = RaceTester.race(
                    2,
                    i -> i == 0
                            ? nodes.get(0).settle(lease, DONE)
                            : nodes.get(1).resolve(lease, SETTLE));

            assertThat(won).as("by its owner, by the operator").containsExactlyInAnyOrder(true, false);
            assertThat(node().replay(key).outcome()).isEqualTo(won.get(0) ? DONE : OTHER);
        }
    }

    @Test
    default void theReasonIsKeptInTheHistory() {
        Lease lease = lapsed(key());
        String reason = "Beleg 4711 geprüft: \"bezahlt\" \uD83D\uDC4D";
        assertThat(node().resolve(lease, HOLD, "looked into it")).isTrue();
        assertThat(node().resolve(lease, SETTLE, reason)).isTrue();

        assertThat(node().record(key()).history())
                .extracting(KeyRecord.HistoryEntry::note)
                .containsSubsequence("looked into it", reason);
    }

    @Test
    default void aKeyThatIsHeldAgainKeepsItsHistory() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, HOLD, "looked into it")).isTrue();

        assertThat(node().resolve(lease, HOLD, "looked into it again")).isTrue();

        assertThat(node().record(key()).history())
                .extracting(KeyRecord.HistoryEntry::note)
                .containsExactly("looked into it");
    }

    @Test
    default void aResolvedKeyKeepsItsToken() {
        Lease lease = lapsed(key());

        assertThat(node().resolve(lease, SETTLE)).isTrue();

        assertThat(node().replay(key()).token()).isEqualTo(lease.token());
        assertThat(node().record(key()).token()).isEqualTo(lease.token());
    }

    @Test
    default void aReleasedKeyLeavesNoHistory() {
        Lease lease = lapsed(key());
        assertThat(node().resolve(lease, HOLD)).isTrue();
        assertThat(node().resolve(lease, RELEASE)).isTrue();

        node().acquire(key());

        assertThat(node().record(key()).history()).isEmpty();
    }

    private void isNotResolved(Lease lease) {
        for (Resolution resolution : List.of(SETTLE, RELEASE, HOLD)) {
            assertThat(node().resolve(lease, resolution)).isFalse();
        }
    }

    private void ownerIsFencedOff(Lease lease) {
        assertThat(node().settle(lease, DONE)).as("settle").isFalse();
        assertThat(node().settle(lease, OTHER)).as("settle alike").isFalse();
        assertThat(node().renew(lease, LIVE)).as("renew").isFalse();
        assertThat(node().release(lease)).as("release").isFalse();
        assertThat(node().abandon(lease)).as("abandon").isFalse();
    }
}
