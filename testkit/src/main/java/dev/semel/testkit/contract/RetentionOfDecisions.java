package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A resolved key is kept for the retention of its claim: you can resolve it without knowing its operation. */
public interface RetentionOfDecisions extends TestGroup {

    Resolution RESOLVED = new Resolution.Settle(OTHER);
    Retention MONTH = Retention.of(Duration.ofDays(30));
    Retention EVERYTHING = new Retention(Duration.ofMillis(2_592_000_123L), Duration.ofDays(7), Duration.ofDays(365));

    @Test
    default void aDecisionIsKeptForTheRetentionOfTheClaim() {
        List<Retention> retentions = List.of(MONTH, Retention.DEFAULT, EVERYTHING);
        for (Retention retention : retentions) {
            Key key = bench().newKey();
            assertThat(node().resolve(unknown(key, retention), RESOLVED)).isTrue();

            assertIsKeptFor(key, retention.active());
        }
    }

    @Test
    default void aDecisionOverALapsedKeyIsKeptForTheRetentionOfTheClaim() {
        Lease lease = node().acquire(ClaimTemplate.forKey(key()).keptFor(MONTH).withLease(SHORT));
        bench().pass();

        assertThat(node().resolve(lease, RESOLVED)).isTrue();

        assertIsKeptFor(key(), MONTH.active());
    }

    @Test
    default void aDecisionLeavesTheTombstoneOfTheClaim() {
        Lease lease = unknown(key(), BRIEF.withTombstone(LIVE));

        assertThat(node().resolve(lease, RESOLVED)).isTrue();
        bench().pass();

        assertThat(node().claim(key())).isInstanceOf(Claim.Expired.class);
    }

    @Test
    default void aDecisionIsKeptForTheAuditWindowOfTheClaim() {
        Lease lease = unknown(key(), BRIEF.withAudit(LIVE));

        assertThat(node().resolve(lease, RESOLVED)).isTrue();
        bench().pass();
        if (node().has(Purging.class)) {
            node().purge(100);
        }

        assertThat(node().state(key())).isEqualTo(KeyState.EXPIRED);
        assertThat(node().record(key()).outcome()).isEqualTo(OTHER);
    }

    /** A deploy has changed the retention between two attempts. */
    @Test
    default void theRetentionOfTheLastClaimCounts() {
        node().acquire(ClaimTemplate.forKey(key()).keptFor(BRIEF).withLease(SHORT));
        bench().pass();
        Lease second = node().acquire(ClaimTemplate.forKey(key()).keptFor(MONTH).takingOver());
        assertThat(node().abandon(second)).isTrue();

        assertThat(node().resolve(second, RESOLVED)).isTrue();

        assertIsKeptFor(key(), MONTH.active());
    }

    @Test
    default void aRecordShowsTheRetentionOfItsClaim() {
        Key reused = bench().newKey();
        assertThat(node().settle(node().acquire(ClaimTemplate.forKey(reused).keptFor(BRIEF)), DONE, BRIEF))
                .isTrue();
        Key pending = bench().newKey();
        node().acquire(ClaimTemplate.forKey(pending).keptFor(EVERYTHING));
        bench().pass();
        node().acquire(ClaimTemplate.forKey(reused).keptFor(Retention.DEFAULT));

        assertThat(node().record(pending).retention()).isEqualTo(EVERYTHING);
        assertThat(node().record(reused).retention()).isEqualTo(Retention.DEFAULT);
    }

    private Lease unknown(Key key, Retention retention) {
        Lease lease = node().acquire(ClaimTemplate.forKey(key).keptFor(retention));
        assertThat(node().abandon(lease)).isTrue();
        return lease;
    }

    private void assertIsKeptFor(Key key, Duration active) {
        Claim.Settled replay = node().replay(key);
        assertThat(Duration.between(replay.settledAt(), replay.expiresAt())).isCloseTo(active, Duration.ofMillis(5));
    }
}
