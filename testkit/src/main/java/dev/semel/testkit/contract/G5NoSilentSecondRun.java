package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After an owner dies, the operation runs again only if its policy says that it may. */
public interface G5NoSilentSecondRun extends TestGroup {

    @Test
    default void aLapsedKeyIsUnknownToACallerThatMayNotTakeOver() {
        lapsed(key());

        for (int i = 0; i < 3; i++) {
            assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
        }
    }

    @Test
    default void noRacerAcquiresALapsedKeyThatMayNotBeTakenOver() {
        List<StoreNode> nodes = bench().nodes(3);
        Key key = bench().newKey();
        lapsed(key);

        List<Claim> claims = RaceTester.race(9, i -> nodes.get(i % 3).claim(key));

        assertThat(claims).allMatch(Claim.Unknown.class::isInstance);
    }

    @Test
    default void aLiveLeaseIsNotTakenOver() {
        Lease lease = node().acquire(key());

        assertThat(bench().newNode().takeOver(key())).isInstanceOf(Claim.InFlight.class);

        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void aRenewedLeaseIsNotTakenOver() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().renew(lease, LIVE)).isTrue();
        bench().pass();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.InFlight.class);
        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void anAbandonedKeyIsUnknownToEverybody() {
        Lease lease = node().acquire(key());

        assertThat(node().abandon(lease)).isTrue();

        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void anAbandonedKeyStaysUnknownAfterItsLeaseWouldHaveLapsed() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().abandon(lease)).isTrue();
        bench().pass();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void noRenewalRevivesAnAbandonedKey() {
        Lease lease = unknown(key());

        node().renew(lease, LIVE);

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void aHeldKeyIsUnknownToEverybody() {
        Lease lease = lapsed(key());

        assertThat(node().resolve(lease, new Resolution.Hold())).isTrue();

        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void aFailedOperationDoesNotRunAgain() {
        node().settled(key(), OTHER, KEPT);

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Settled.class);
    }

    @Test
    default void anExpiredKeyWithATombstoneDoesNotRunAgain() {
        node().settled(key(), DONE, BRIEF.withTombstone(LIVE));
        bench().pass();

        assertThat(node().claim(key())).isInstanceOf(Claim.Expired.class);
        assertThat(bench().newNode().takeOver(key())).isInstanceOf(Claim.Expired.class);
    }
}
