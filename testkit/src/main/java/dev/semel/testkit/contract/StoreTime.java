package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.StoreNode;
import dev.semel.testkit.contract.support.TestGroup;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The store's clock decides leases and expiry, on every node. */
public interface StoreTime extends TestGroup {

    /** The precision with which stores keep times. */
    Duration PRECISION = Duration.ofMillis(5);

    @Test
    default void retentionCountsFromTheSettle() {
        Lease lease = node().acquire(key());
        Instant before = storeTime();
        bench().pass();

        assertThat(node().settle(lease, DONE, Retention.of(Duration.ofDays(3)))).isTrue();

        Claim.Settled settled = node().replay(key());
        assertThat(settled.settledAt())
                .isBetween(before.plus(SHORT), storeTime().plus(PRECISION));
        assertThat(Duration.between(settled.settledAt(), settled.expiresAt())).isCloseTo(Duration.ofDays(3), PRECISION);
    }

    @Test
    default void aLongLeaseDoesNotProlongABriefRetention() {
        Lease lease = node().acquire(ClaimTemplate.forKey(key()).withLease(LIVE));
        assertThat(node().settle(lease, DONE, BRIEF)).isTrue();
        bench().pass();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    /** A refusal may be kept for a shorter time than the operation's other outcomes. */
    @Test
    default void aSettleMayKeepAKeyForLessThanItsClaimSaid() {
        Lease lease = node().acquire(ClaimTemplate.forKey(key()).keptFor(Retention.of(Duration.ofDays(30))));
        assertThat(node().settle(lease, DONE, BRIEF)).isTrue();
        assertThat(node().settle(lease, DONE, BRIEF)).isTrue();
        bench().pass();

        assertThat(node().acquire(key()).attempt()).isEqualTo(1);
    }

    @Test
    default void aLateSettleCountsItsRetentionFromThen() {
        Lease lease = lapsed(key());
        Instant before = storeTime();
        assertThat(node().settle(lease, DONE, Retention.of(Duration.ofDays(1)))).isTrue();

        Claim.Settled settled = node().replay(key());
        assertThat(settled.settledAt())
                .isBetween(before.minus(PRECISION), storeTime().plus(PRECISION));
        assertThat(Duration.between(settled.settledAt(), settled.expiresAt())).isCloseTo(Duration.ofDays(1), PRECISION);
    }

    @Test
    default void everyNodeGoesByTheSameClock() {
        Instant before = storeTime();
        Lease lease = bench().newNode().acquire(key());
        assertThat(bench().newNode().settle(lease, DONE)).isTrue();
        Instant after = storeTime();

        Claim.Settled settled = bench().newNode().replay(key());
        assertThat(settled.settledAt()).isBetween(before.minus(PRECISION), after.plus(PRECISION));
    }

    @Test
    default void theTimesOfARecordAreTheStores() {
        Instant before = storeTime();
        node().acquire(ClaimTemplate.forKey(key()).withLease(Duration.ofHours(5)));
        KeyRecord pending = bench().newNode().record(key());
        Instant after = storeTime();

        assertThat(pending.claimedAt()).isBetween(before.minus(PRECISION), after.plus(PRECISION));
        assertThat(Duration.between(pending.claimedAt(), pending.leaseUntil()))
                .isCloseTo(Duration.ofHours(5), PRECISION);
        assertThat(pending.settledAt()).isNull();

        Instant counted = node().statistics().at();
        assertThat(counted)
                .isBetween(before.minus(Duration.ofMinutes(10)), storeTime().plus(PRECISION));
    }

    @Test
    default void theStoreTellsItsTime() {
        Inspecting inspecting = node().require(Inspecting.class);
        Instant before = storeTime();
        Instant told = StoreNode.answer(inspecting.now());

        // A store without its own clock tells the earliest time that any of its machines may have.
        assertThat(told)
                .isBetween(before.minus(Duration.ofMinutes(5)), storeTime().plus(PRECISION));
    }

    /** The time of the store's clock, from the settle of a key that is claimed for this purpose. */
    private Instant storeTime() {
        Key probe = bench().newKey();
        node().settled(probe, DONE, KEPT);
        return node().replay(probe).settledAt();
    }
}
