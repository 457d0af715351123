package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.race.RaceTester;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pending and unknown keys are never purged; a settled key is kept for its whole retention. */
public interface G7NothingLost extends TestGroup {

    int ALL = 1000;

    @Test
    default void purgeRemovesWhatHasOutlivedItsRetention() {
        node().settled(key(), DONE, BRIEF);
        bench().pass();

        purgeEverything();

        if (node().has(Inspecting.class)) {
            assertThat(node().find(key())).isEmpty();
        }
        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void purgeNeverTouchesAPendingKey() {
        Lease lease = node().acquire(key());
        bench().pass();

        assertThat(purgeEverything()).isZero();

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void purgeNeverTouchesALapsedKey() {
        Lease lease = lapsed(key());
        bench().pass();

        assertThat(purgeEverything()).isZero();

        assertThat(node().claim(key())).isInstanceOf(Claim.Unknown.class);
        assertThat(node().settle(lease, DONE)).isTrue();
    }

    @Test
    default void purgeNeverTouchesAnUnknownKey() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().abandon(lease)).isTrue();
        bench().pass();
        bench().pass();

        assertThat(purgeEverything()).isZero();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
    }

    @Test
    default void purgeNeverTouchesAKeyWithinItsRetention() {
        node().settled(key(), DONE, KEPT);
        bench().pass();

        assertThat(purgeEverything()).isZero();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void purgeLeavesARecordForItsWholeAuditWindow() {
        node().settled(key(), DONE, BRIEF.withAudit(LIVE));
        bench().pass();

        assertThat(purgeEverything()).isZero();

        if (node().has(Inspecting.class)) {
            assertThat(node().state(key())).isEqualTo(KeyState.EXPIRED);
            assertThat(node().record(key()).outcome()).isEqualTo(DONE);
        }
    }

    @Test
    default void purgeLeavesATombstone() {
        node().settled(key(), DONE, BRIEF.withTombstone(LIVE));
        bench().pass();

        purgeEverything();

        assertThat(node().claim(key())).isInstanceOf(Claim.Expired.class);
    }

    /** The purge must not remove a key that was claimed again after a short first life. */
    @Test
    default void purgeNeverTouchesTheNextLifeOfAnExpiredKey() {
        Key pending = bench().newKey();
        Key settled = bench().newKey();
        node().settled(pending, OTHER, BRIEF);
        node().settled(settled, OTHER, BRIEF);
        bench().pass();
        Lease lease = node().acquire(pending);
        node().settled(settled, DONE, KEPT);

        assertThat(purgeEverything()).isZero();

        assertThat(node().claim(pending)).isInstanceOf(Claim.InFlight.class);
        assertThat(node().settle(lease, DONE)).isTrue();
        assertThat(node().replay(settled).outcome()).isEqualTo(DONE);
    }

    @Test
    default void purgeIsBounded() {
        List<Key> keys = bench().newKeys(7);
        keys.forEach(key -> node().settled(key, DONE, BRIEF));
        bench().pass();

        Purging.Purged first = node().purge(3);
        assertThat(first.removed()).isBetween(1L, 3L);
        assertThat(first.more()).isTrue();

        long removed = first.removed();
        for (Purging.Purged purged = first; purged.more(); ) {
            purged = node().purge(3);
            assertThat(purged.removed()).isLessThanOrEqualTo(3);
            removed += purged.removed();
        }
        assertThat(removed).isEqualTo(7);
    }

    @Test
    default void racingPurgesRemoveEachRecordOnce() {
        List<StoreNode> nodes = bench().nodes(3);
        List<Key> keys = bench().newKeys(12);
        keys.forEach(key -> node().settled(key, DONE, BRIEF));
        bench().pass();
        node().require(Purging.class);

        List<Long> removed = RaceTester.race(6, i -> nodes.get(i % 3).purge(ALL).removed());

        assertThat(removed.stream().mapToLong(n -> n).sum() + purgeEverything()).isEqualTo(keys.size());
    }

    /** A purge that reads "expired" and deletes later must not delete the claim that came in between. */
    @Test
    default void aPurgeThatRacesWithAReuseDoesNotRemoveTheNewClaim() {
        List<StoreNode> nodes = bench().nodes(3);
        node().require(Purging.class);
        List<Key> keys = bench().newKeys(10);
        keys.forEach(key -> node().settled(key, OTHER, BRIEF));
        bench().pass();

        List<List<Claim>> claims = RaceTester.race(3, i -> {
            if (i == 2) {
                nodes.get(2).purge(ALL);
                return List.of();
            }
            return keys.stream().map(key -> nodes.get(i).claim(key)).toList();
        });

        for (int k = 0; k < keys.size(); k++) {
            List<Claim> ofKey = List.of(claims.get(0).get(k), claims.get(1).get(k));
            assertThat(ofKey).filteredOn(Claim.Acquired.class::isInstance).hasSize(1);
            assertThat(ofKey).filteredOn(Claim.InFlight.class::isInstance).hasSize(1);
            assertThat(node().claim(keys.get(k))).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    default void aLeaseDoesNotShortenTheRetention() {
        Lease lease = node().acquireBriefly(key());
        assertThat(node().settle(lease, DONE, KEPT)).isTrue();
        bench().pass();

        assertThat(node().replay(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aPendingKeyOutlivesTheRetentionOfItsFormerLife() {
        node().settled(key(), DONE, BRIEF);
        bench().pass();
        node().acquire(key());
        bench().pass();

        assertThat(node().claim(key())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    default void theWholeRecordOfASettledKeyIsKeptThroughPurges() {
        List<Key> keys = bench().newKeys(5);
        Outcome large = Outcome.succeeded().payload(new byte[100_000]).build();
        keys.forEach(key -> node().settled(key, large, Retention.of(LIVE)));
        Key brief = bench().newKey();
        node().settled(brief, large, BRIEF);
        bench().pass();

        assertThat(purgeEverything()).isEqualTo(1);

        keys.forEach(key -> assertThat(node().replay(key).outcome()).isEqualTo(large));
    }

    private long purgeEverything() {
        long removed = 0;
        Purging.Purged purged;
        do {
            purged = node().purge(ALL);
            removed += purged.removed();
        } while (purged.more());
        return removed;
    }
}
