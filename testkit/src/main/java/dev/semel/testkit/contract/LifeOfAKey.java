package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The arrows of a key's life that no guarantee has a name for. */
public interface LifeOfAKey extends TestGroup {

    @Test
    default void anAbsentKeyIsAcquired() {
        ClaimRequest request = ClaimTemplate.forKey(key()).request();

        Claim.Acquired acquired = (Claim.Acquired) node().claim(request);

        assertThat(acquired.lease().digest()).isEqualTo(key().digest());
        assertThat(acquired.lease().nonce()).isEqualTo(request.nonce());
        assertThat(acquired.lease().attempt()).isEqualTo(1);
        assertThat(acquired.lease().token()).isPositive();
        assertThat(acquired.steps()).isEmpty();
    }

    @Test
    default void aPendingKeyIsInFlightForTheRestOfItsLease() {
        node().acquire(key());
        bench().pass();

        assertThat(node().claim(key())).isInstanceOfSatisfying(Claim.InFlight.class, inFlight -> {
            assertThat(inFlight.age()).isBetween(SHORT, Duration.ofMinutes(5));
            assertThat(inFlight.leaseLeft()).isBetween(LIVE.minus(Duration.ofMinutes(5)), LIVE.minus(SHORT));
        });
    }

    @Test
    default void aRenewalCountsFromNow() {
        Lease lease = node().acquire(key());

        assertThat(node().renew(lease, LIVE.multipliedBy(3))).isTrue();

        assertThat(node().claim(key()))
                .isInstanceOfSatisfying(
                        Claim.InFlight.class,
                        inFlight ->
                                assertThat(inFlight.leaseLeft()).isBetween(LIVE.multipliedBy(2), LIVE.multipliedBy(3)));
    }

    @Test
    default void aRenewedLeaseLapsesInTheEnd() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().renew(lease, SHORT)).isTrue();
        bench().pass();

        assertThat(node().takenOver(key()).attempt()).isEqualTo(2);
    }

    @Test
    default void manyLeasesAreRenewedTogether() {
        List<Lease> leases = bench().newKeys(50).stream()
                .map(key -> node().acquireBriefly(key))
                .toList();

        assertThat(node().renew(leases.stream()
                        .map(lease -> new Renewal(lease, LIVE))
                        .toList()))
                .containsExactlyInAnyOrderElementsOf(leases);
        assertThat(node().renew(List.of())).isEmpty();
    }

    @Test
    default void eachLeaseOfOneRenewalGetsItsOwnDuration() {
        Key brief = bench().newKey();
        Key lasting = bench().newKey();
        Lease first = node().acquireBriefly(brief);
        Lease second = node().acquireBriefly(lasting);
        node().renew(List.of(new Renewal(first, SHORT), new Renewal(second, LIVE)));
        bench().pass();

        assertThat(node().claim(brief)).isInstanceOf(Claim.Unknown.class);
        assertThat(node().claim(lasting)).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void aLapsedLeaseThatWasNotTakenOverIsRenewed() {
        Lease lease = lapsed(key());

        assertThat(node().renew(lease, LIVE)).isTrue();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void aLapsedOwnerThatWasNotReplacedStillSettles() {
        Lease lease = lapsed(key());
        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);

        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aLapsedOwnerThatWasNotReplacedStillReleases() {
        Lease lease = lapsed(key());

        assertThat(node().release(lease)).isTrue();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void aLapsedOwnerThatWasNotReplacedStillAbandons() {
        Lease lease = lapsed(key());

        assertThat(node().abandon(lease)).isTrue();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void anOwnerThatAbandonedItsKeyMayStillSettleIt() {
        Lease lease = unknown(key());

        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aReleasedKeyIsAbsent() {
        assertThat(node().release(node().acquire(key()))).isTrue();

        Claim.Acquired next = node().acquired(ClaimTemplate.forKey(key()));
        assertThat(next.lease().attempt()).isEqualTo(1);
        assertThat(next.steps()).isEmpty();
    }

    @Test
    default void aTakeoverMayBeTakenOverInItsTurn() {
        lapsed(key());
        Lease second =
                node().acquire(ClaimTemplate.forKey(key()).withLease(SHORT).takingOver());
        bench().pass();

        Lease third = node().takenOver(key());

        assertThat(third.attempt()).isEqualTo(3);
        assertThat(node().settle(second, OTHER)).isFalse();
        assertThat(node().settle(third, DONE)).isTrue();
    }

    @Test
    default void anExpiredKeyIsAbsent() {
        node().settled(key(), DONE, BRIEF);
        bench().pass();

        Claim.Acquired next = node().acquired(ClaimTemplate.forKey(key()));

        assertThat(next.lease().attempt()).isEqualTo(1);
        assertThat(next.steps()).isEmpty();
    }

    @Test
    default void anExpiredKeyWithinItsAuditWindowIsFree() {
        node().settled(key(), DONE, BRIEF.withAudit(LIVE));
        bench().pass();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void aKeyIsFreeAgainWhenItsTombstoneIsGone() {
        node().settled(key(), DONE, BRIEF.withTombstone(SHORT));
        bench().pass();
        bench().pass();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void manyKeysLiveSideBySide() {
        List<Key> keys = bench().newKeys(100);
        List<Lease> leases = keys.stream().map(node()::acquire).toList();
        for (int i = 0; i < keys.size(); i += 2) {
            assertThat(node().settle(leases.get(i), DONE)).isTrue();
        }

        for (int i = 0; i < keys.size(); i++) {
            assertThat(node().claim(keys.get(i))).isInstanceOf(i % 2 == 0 ? Claim.Settled.class : Claim.InFlight.class);
        }
    }
}
