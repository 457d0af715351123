package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** An attempt that lost its lease can no longer write to the key. */
public interface G3NoZombies extends TestGroup {

    byte[] RESULT = "charged".getBytes(StandardCharsets.UTF_8);

    @Test
    default void aStalledOwnerCannotSettleAfterATakeover() {
        isRefused(stalled -> node().settle(stalled, OTHER));
    }

    @Test
    default void aStalledOwnerCannotSettleAfterItsSuccessorHas() {
        Takeover takeover = takeover();
        assertThat(node().settle(takeover.successor(), DONE)).isTrue();

        assertThat(node().settle(takeover.stalled(), OTHER)).isFalse();
        assertThat(node().settle(takeover.stalled(), DONE)).isFalse();

        assertThat(node().replay(takeover.key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aStalledOwnerCannotRenewAfterATakeover() {
        isRefused(stalled -> node().renew(stalled, LIVE));
    }

    @Test
    default void aStalledOwnerCannotReleaseAfterATakeover() {
        isRefused(stalled -> node().release(stalled));
    }

    @Test
    default void aStalledOwnerCannotAbandonAfterATakeover() {
        isRefused(stalled -> node().abandon(stalled));
    }

    @Test
    default void aStalledOwnerCannotRecordAStepAfterATakeover() {
        Takeover takeover = takeover();

        assertThat(node().recordStep(takeover.stalled(), "charge", RESULT)).isFalse();

        if (node().has(Inspecting.class)) {
            assertThat(node().record(takeover.key()).steps()).isEmpty();
        }
        takeover.successorStillOwnsTheKey();
    }

    @Test
    default void aStalledOwnerCannotResolveItsSuccessorsKey() {
        isRefused(stalled -> node().resolve(stalled, new Resolution.Release()));
    }

    @Test
    default void aLeaseIsWorthNothingOnceItWasReleased() {
        Lease released = node().acquire(key());
        assertThat(node().release(released)).isTrue();
        everyWriteIsRefused(released);

        Lease next = node().acquire(key());
        everyWriteIsRefused(released);

        assertThat(node().settle(next, DONE)).isTrue();
    }

    @Test
    default void aLeaseIsWorthNothingOnceItsKeyWasReused() {
        Lease old = node().settled(key(), OTHER, BRIEF);
        bench().pass();

        Lease next = node().acquire(key());
        everyWriteIsRefused(old);

        assertThat(node().settle(next, DONE)).isTrue();
        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aLeaseIsWorthNothingAgainWhenALateCopyOfItsClaimWinsTheKey() {
        ClaimRequest request = ClaimTemplate.forKey(bench().newKey())
                .takingOver()
                .withLease(SHORT)
                .request();
        Lease stalled = node().acquire(request);
        bench().pass();
        bench().newNode()
                .acquire(ClaimTemplate.forKey(request.key()).takingOver().withLease(SHORT));
        bench().pass();

        Lease copy = node().acquire(request);

        assertThat(copy.token()).isGreaterThan(stalled.token());
        everyWriteIsRefused(stalled);
        assertThat(node().settle(copy, DONE)).isTrue();
    }

    @Test
    default void anOwnerThatSettledCanDoNothingElse() {
        Lease lease = node().settled(key(), DONE, KEPT);

        assertThat(node().release(lease)).isFalse();
        assertThat(node().abandon(lease)).isFalse();
        assertThat(node().renew(lease, LIVE)).isFalse();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void anOwnerThatSettledRecordsNoMoreSteps() {
        Lease lease = node().settled(bench().newKey(), DONE, KEPT);

        assertThat(node().recordStep(lease, "charge", RESULT)).isFalse();
    }

    @Test
    default void aLeaseOfAKeyThatNeverWasIsRefused() {
        Key other = bench().newKey();
        Lease lease = node().acquire(other);
        Lease forged = new Lease(bench().newKey().digest(), lease.nonce(), lease.token(), lease.attempt());

        everyWriteIsRefused(forged);

        assertThat(node().claim(other)).isInstanceOf(Claim.InFlight.class);
    }

    /** A server that loses its last writes in a failover may give a token a second time. */
    @Test
    default void aTokenIsWorthNothingWithAnotherNonce() {
        Lease lease = node().acquire(key());
        Lease forged = new Lease(key().digest(), UUID.randomUUID(), lease.token(), lease.attempt());

        everyWriteIsRefused(forged);
        assertThat(node().settle(lease, DONE)).isTrue();
        everyWriteIsRefused(forged);

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void oneRenewalTellsHeldLeasesFromLostOnes() {
        Lease held = node().acquire(bench().newKey());
        Takeover takeover = takeover();
        Lease settled = node().settled(bench().newKey(), DONE, KEPT);
        Lease released = node().acquire(bench().newKey());
        node().release(released);

        assertThat(node().renew(List.of(
                        new Renewal(takeover.stalled(), LIVE),
                        new Renewal(held, LIVE),
                        new Renewal(settled, LIVE),
                        new Renewal(takeover.successor(), LIVE),
                        new Renewal(released, LIVE))))
                .containsExactlyInAnyOrder(held, takeover.successor());
    }

    /** The write of a stalled owner, which leaves the key to its successor. */
    private void isRefused(Predicate<Lease> write) {
        Takeover takeover = takeover();

        assertThat(write.test(takeover.stalled())).isFalse();

        takeover.successorStillOwnsTheKey();
    }

    private void everyWriteIsRefused(Lease lease) {
        Outcome outcome = Outcome.succeeded().payload("written by a zombie").build();
        assertThat(node().settle(lease, outcome)).as("settle").isFalse();
        assertThat(node().renew(lease, LIVE)).as("renew").isFalse();
        assertThat(node().release(lease)).as("release").isFalse();
        assertThat(node().abandon(lease)).as("abandon").isFalse();
    }

    private Takeover takeover() {
        Key key = bench().newKey();
        Lease stalled = lapsed(key);
        StoreNode other = bench().newNode();
        return new Takeover(key, stalled, other, other.takenOver(key));
    }

    /** A key whose first owner stalled, and whose second owner is running. */
    record Takeover(Key key, Lease stalled, StoreNode other, Lease successor) {

        void successorStillOwnsTheKey() {
            assertThat(other.takeOver(key)).isInstanceOf(Claim.InFlight.class);
            assertThat(other.settle(successor, DONE)).isTrue();
            assertThat(other.replay(key).outcome()).isEqualTo(DONE);
        }
    }
}
