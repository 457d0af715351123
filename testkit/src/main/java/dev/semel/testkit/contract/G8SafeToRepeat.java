package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the answer of a write is lost, the same call can be sent again: it finds its own row and says so. */
public interface G8SafeToRepeat extends TestGroup {

    @Test
    default void aClaimSentAgainFindsItself() {
        ClaimRequest request = ClaimTemplate.forKey(bench().newKey()).request();
        Lease lease = node().acquire(request);

        assertThat(node().acquire(request)).isEqualTo(lease);
        assertThat(bench().newNode().acquire(request)).isEqualTo(lease);

        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aTakeoverSentAgainFindsItself() {
        lapsed(key());
        ClaimRequest request = ClaimTemplate.forKey(key()).takingOver().request();
        Lease lease = node().acquire(request);

        assertThat(node().acquire(request)).isEqualTo(lease);
        assertThat(lease.attempt()).isEqualTo(2);
    }

    @Test
    default void aReuseOfAnExpiredKeySentAgainFindsItself() {
        node().settled(key(), DONE, BRIEF);
        bench().pass();
        ClaimRequest request = ClaimTemplate.forKey(key()).request();
        Lease lease = node().acquire(request);

        assertThat(node().acquire(request)).isEqualTo(lease);
    }

    @Test
    default void aClaimSentAgainAfterItsLeaseLapsedFindsItselfUnlessItWasTakenOver() {
        ClaimRequest request =
                ClaimTemplate.forKey(bench().newKey()).withLease(SHORT).request();
        Lease lease = node().acquire(request);
        bench().pass();

        assertThat(node().acquire(request)).isEqualTo(lease);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aClaimSentAgainAfterATakeoverIsInFlight() {
        ClaimRequest request = ClaimTemplate.forKey(key()).withLease(SHORT).request();
        node().acquire(request);
        bench().pass();
        Lease successor = node().takenOver(key());

        assertThat(node().claim(request)).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(successor, DONE)).isTrue();
    }

    @Test
    default void aClaimSentAgainAfterItsOwnSettleIsSettled() {
        ClaimRequest request = ClaimTemplate.forKey(bench().newKey()).request();
        Lease lease = node().acquire(request);
        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(node().claim(request)).isInstanceOfSatisfying(Claim.Settled.class, settled -> {
            assertThat(settled.outcome()).isEqualTo(DONE);
            assertThat(settled.token()).isEqualTo(lease.token());
        });
    }

    @Test
    default void aSettleSentAgainIsTrueAndChangesNothing() {
        Lease lease = node().settled(key(), DONE, KEPT);
        Claim.Settled first = node().replay(key());
        bench().pass();

        assertThat(node().settle(lease, DONE)).isTrue();
        assertThat(bench().newNode().settle(lease, DONE)).isTrue();

        assertThat(node().replay(key())).isEqualTo(first);
    }

    @Test
    default void racingCopiesOfOneSettleAreAllTrue() {
        List<StoreNode> nodes = bench().nodes(3);
        for (Key key : bench().newKeys(5)) {
            Lease lease = node().acquire(key);

            assertThat(RaceTester.race(6, i -> nodes.get(i % 3).settle(lease, DONE)))
                    .containsOnly(true);
        }
    }

    @Test
    default void aSettleOfALapsedLeaseSentAgainIsTrue() {
        Lease lease = lapsed(bench().newKey());

        assertThat(node().settle(lease, DONE)).isTrue();
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aReleaseSentAgainFindsNothingToRelease() {
        Lease lease = node().acquire(key());
        assertThat(node().release(lease)).isTrue();

        assertThat(node().release(lease)).isFalse();

        node().acquire(key());
        assertThat(node().release(lease)).isFalse();
        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void anAbandonSentAgainIsTrue() {
        Lease lease = node().acquire(key());

        assertThat(node().abandon(lease)).isTrue();
        assertThat(node().abandon(lease)).isTrue();

        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void aRenewalSentAgainIsHeldAgain() {
        Lease lease = node().acquire(bench().newKey());

        assertThat(node().renew(lease, LIVE)).isTrue();
        assertThat(node().renew(lease, LIVE)).isTrue();
    }

    @Test
    default void aStepRecordedAgainIsTrueAndKeepsTheFirstResult() {
        Lease lease = node().acquireBriefly(key());
        byte[] first = "first".getBytes(StandardCharsets.UTF_8);

        assertThat(node().recordStep(lease, "charge", first)).isTrue();
        assertThat(node().recordStep(lease, "charge", first)).isTrue();
        assertThat(node().recordStep(lease, "charge", "second".getBytes(StandardCharsets.UTF_8)))
                .isTrue();

        bench().pass();
        assertThat(node().acquired(ClaimTemplate.forKey(key()).takingOver()).steps())
                .containsOnlyKeys("charge")
                .containsEntry("charge", first);
    }
}
