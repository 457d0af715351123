package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.Bench;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After an owner dies, the operation runs again only if its policy says that it may. */
public interface G5NoSilentSecondRun extends TestGroup {

    @Test
    default void aLapsedKeyIsUnknownToWhomMayNotTakeOver() {
        Key key = bench().newKey();
        node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        bench().pass();

        for (int i = 0; i < 3; i++) {
            assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.Unknown.class);
        }
    }

    @Test
    default void noRacerAcquiresALapsedKeyThatMayNotBeTakenOver() {
        List<StoreNode> nodes = bench().nodes(3);
        Key key = bench().newKey();
        node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        bench().pass();

        List<Claim> claims = RaceTester.race(9, i -> nodes.get(i % 3).claim(ClaimTemplate.forKey(key)));

        assertThat(claims).allMatch(Claim.Unknown.class::isInstance);
    }

    @Test
    default void aLiveLeaseIsNotTakenOver() {
        Key key = bench().newKey();
        Lease lease = node().acquire(key);

        assertThat(bench().newNode().claim(ClaimTemplate.forKey(key).takingOver()))
                .isInstanceOf(Claim.InFlight.class);

        assertThat(node().settle(lease, Bench.DONE)).isTrue();
    }

    @Test
    default void aRenewedLeaseIsNotTakenOver() {
        Key key = bench().newKey();
        Lease lease = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        assertThat(node().renew(lease, Bench.LIVE)).isTrue();
        bench().pass();

        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.InFlight.class);
        assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void anAbandonedKeyIsUnknownToEverybody() {
        Key key = bench().newKey();
        Lease lease = node().acquire(key);

        assertThat(node().abandon(lease)).isTrue();

        assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.Unknown.class);
        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void anAbandonedKeyStaysUnknownAfterItsLeaseWouldHaveLapsed() {
        Key key = bench().newKey();
        Lease lease = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        assertThat(node().abandon(lease)).isTrue();
        bench().pass();

        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void noRenewalRevivesAnAbandonedKey() {
        Key key = bench().newKey();
        Lease lease = node().acquire(key);
        assertThat(node().abandon(lease)).isTrue();

        node().renew(lease, Bench.LIVE);

        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void aHeldKeyIsUnknownToEverybody() {
        Key key = bench().newKey();
        Lease lease = node().acquire(ClaimTemplate.forKey(key).withLease(Bench.SHORT));
        bench().pass();

        assertThat(node().resolve(lease, new Resolution.Hold())).isTrue();

        assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.Unknown.class);
        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void aFailedOperationDoesNotRunAgain() {
        Key key = bench().newKey();
        node().settled(key, Bench.OTHER, Bench.KEPT);

        assertThat(node().claim(ClaimTemplate.forKey(key).takingOver())).isInstanceOf(Claim.Settled.class);
    }

    @Test
    default void aTombstoneKeepsAnExpiredKeyFromRunningAgain() {
        Key key = bench().newKey();
        node().settled(key, Bench.DONE, Bench.BRIEF.withTombstone(Bench.LIVE));
        bench().pass();

        assertThat(node().claim(ClaimTemplate.forKey(key))).isInstanceOf(Claim.Expired.class);
        assertThat(bench().newNode().claim(ClaimTemplate.forKey(key).takingOver()))
                .isInstanceOf(Claim.Expired.class);
    }
}
