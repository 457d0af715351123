package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.Importing;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Resolution;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.assertj.core.data.TemporalUnitOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that come from another store. */
public interface ImportedKeys extends TestGroup {

    /** The time of the other store's clock, which differs from the clock here. */
    Instant THERE = Instant.parse("2001-02-03T04:05:06.789012Z");

    Duration TOLERANCE = Duration.ofSeconds(30);
    int ATTEMPT = 3;

    /** A retention that no store has as its default. */
    Retention KEPT_THERE = Retention.of(Duration.ofDays(30));

    @Test
    default void anImportedOutcomeIsReplayed() {
        long token = futureToken();

        assertThat(imports(settled(key(), token, LIVE))).isTrue();

        Claim.Settled replay = bench().newNode().replay(key());
        assertThat(replay.outcome()).isEqualTo(DONE);
        assertThat(replay.token()).isEqualTo(token);
        assertThat(Duration.between(replay.settledAt(), replay.expiresAt()))
                .isCloseTo(LIVE.plusSeconds(45), Duration.ofMillis(5));
        assertThat(node().claim(ClaimTemplate.forKey(key()).withBody(ClaimTemplate.OTHER_BODY)))
                .isInstanceOf(Claim.Mismatch.class);
    }

    @Test
    default void everythingThatIsKnownOfAKeyIsImported() {
        KeyRecord there = settled(key(), futureToken(), LIVE);
        assertThat(imports(there)).isTrue();
        Key probe = bench().newKey();
        node().settled(probe, DONE, KEPT);
        Instant now = node().replay(probe).settledAt();

        KeyRecord here = node().record(key());

        assertThat(here.state()).isEqualTo(KeyState.SUCCEEDED);
        assertThat(here.operation()).isEqualTo("charge");
        assertThat(here.attempt()).isEqualTo(ATTEMPT);
        assertThat(here.retention()).isEqualTo(KEPT_THERE);
        assertThat(here.outcome()).isEqualTo(DONE);
        assertThat(here.traceId()).isEqualTo(there.traceId());
        assertThat(here.history()).isEqualTo(there.history());
        assertThat(here.steps()).containsOnlyKeys("reserve");
        assertThat(here.claimedAt()).isCloseTo(now.minusSeconds(60), within(TOLERANCE));
        assertThat(here.settledAt()).isCloseTo(now.minusSeconds(45), within(TOLERANCE));
        assertThat(here.expiresAt()).isCloseTo(now.plus(LIVE), within(TOLERANCE));
    }

    @Test
    default void anImportedKeyExpiresWhenItWouldHaveAndItsTokensGrowOn() {
        long token = futureToken();
        assertThat(imports(settled(key(), token, SHORT))).isTrue();
        bench().pass();

        Lease next = node().acquire(key());

        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.token()).isGreaterThan(token);
    }

    @Test
    default void anImportThatIsRepeatedChangesNothing() {
        long token = futureToken();
        assertThat(imports(settled(key(), token, LIVE))).isTrue();
        Claim.Settled first = node().replay(key());

        assertThat(bench().newNode().importRecord(settled(key(), token, LIVE), THERE.plusSeconds(10)))
                .isTrue();

        assertThat(node().replay(key())).isEqualTo(first);
    }

    @Test
    default void aKeyThatIsKnownHereIsLeftAsItIs() {
        Key pending = bench().newKey();
        Key unknown = bench().newKey();
        Key settled = bench().newKey();
        Key tombstone = bench().newKey();
        Lease lease = node().acquire(pending);
        unknown(unknown);
        node().settled(settled, OTHER, KEPT);
        node().settled(tombstone, OTHER, BRIEF.withTombstone(LIVE));
        bench().pass();
        long token = futureToken();

        for (Key key : List.of(pending, unknown, settled, tombstone)) {
            assertThat(imports(settled(key, token, LIVE))).isFalse();
        }

        assertThat(node().settle(lease, OTHER)).isTrue();
        assertThat(node().state(unknown)).isEqualTo(KeyState.UNKNOWN);
        assertThat(node().replay(settled).outcome()).isEqualTo(OTHER);
        assertThat(node().claim(tombstone)).isInstanceOf(Claim.Expired.class);
    }

    @Test
    default void aKeyThatIsFreeHereIsTakenOverUnlessItWasUsedLater() {
        Key earlier = bench().newKey();
        Key later = bench().newKey();
        node().settled(earlier, OTHER, BRIEF);
        Lease last = node().settled(later, OTHER, BRIEF);
        bench().pass();

        assertThat(imports(settled(earlier, futureToken(), LIVE))).isTrue();
        assertThat(imports(settled(later, last.token() - 1, LIVE))).isFalse();

        assertThat(node().replay(earlier).outcome()).isEqualTo(DONE);
    }

    @Test
    default void anUnknownKeyStaysUnknownUntilItIsResolved() {
        long token = futureToken();
        assertThat(imports(unknown(key(), token))).isTrue();

        assertThat(node().takeOver(key())).isInstanceOf(Claim.Unknown.class);
        assertThat(node().state(key())).isEqualTo(KeyState.UNKNOWN);
        Lease owner = new Lease(key().digest(), UUID.randomUUID(), token, ATTEMPT);
        assertThat(node().resolve(owner, new Resolution.Settle(OTHER))).isTrue();
        assertThat(node().replay(key()).outcome()).isEqualTo(OTHER);
    }

    @Test
    default void aDecisionOverAnImportedKeyIsKeptAsItsClaimSaid() {
        long token = futureToken();
        assertThat(imports(unknown(key(), token))).isTrue();
        Lease owner = new Lease(key().digest(), UUID.randomUUID(), token, ATTEMPT);

        assertThat(node().resolve(owner, new Resolution.Settle(OTHER))).isTrue();

        Claim.Settled replay = node().replay(key());
        assertThat(Duration.between(replay.settledAt(), replay.expiresAt()))
                .isCloseTo(KEPT_THERE.active(), Duration.ofMillis(5));
    }

    @Test
    default void anImportedKeyLeavesItsTombstone() {
        KeyRecord there = settled(key(), futureToken(), SHORT, KEPT_THERE.withTombstone(LIVE));
        assertThat(imports(there)).isTrue();
        bench().pass();

        assertThat(node().claim(key())).isInstanceOf(Claim.Expired.class);
    }

    @Test
    default void anImportedKeyIsKeptForItsAuditWindow() {
        KeyRecord there = settled(key(), futureToken(), SHORT, KEPT_THERE.withAudit(LIVE));
        assertThat(imports(there)).isTrue();
        bench().pass();
        if (node().has(Purging.class)) {
            node().purge(100);
        }

        assertThat(node().state(key())).isEqualTo(KeyState.EXPIRED);
        assertThat(node().record(key()).outcome()).isEqualTo(DONE);
    }

    @Test
    default void aPendingKeyIsNotImported() {
        KeyRecord pending = record(key(), KeyState.PENDING, 1, KEPT_THERE, null, null, null);
        Importing store = node().require(Importing.class);

        assertThatThrownBy(() -> store.importRecord(pending, THERE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PENDING");
    }

    private boolean imports(KeyRecord record) {
        return node().importRecord(record, THERE);
    }

    private static TemporalUnitOffset within(Duration tolerance) {
        return Assertions.within(tolerance.toMillis(), ChronoUnit.MILLIS);
    }

    /** Larger than any token that this store has given out. */
    private long futureToken() {
        return node().acquire(bench().newKey()).token() + 5_000_000_000L;
    }

    private static KeyRecord settled(Key key, long token, Duration left) {
        return settled(key, token, left, KEPT_THERE);
    }

    private static KeyRecord settled(Key key, long token, Duration left, Retention retention) {
        return record(key, KeyState.SUCCEEDED, token, retention, THERE.minusSeconds(45), THERE.plus(left), DONE);
    }

    private static KeyRecord unknown(Key key, long token) {
        return record(key, KeyState.UNKNOWN, token, KEPT_THERE, null, null, null);
    }

    private static KeyRecord record(
            Key key,
            KeyState state,
            long token,
            Retention retention,
            @Nullable Instant settledAt,
            @Nullable Instant expiresAt,
            @Nullable Outcome outcome) {
        return KeyRecord.builder(key, "charge", ClaimTemplate.BODY, state)
                .attempt(ATTEMPT, token)
                .lease(THERE.minusSeconds(60), THERE.minusSeconds(30))
                .retention(retention)
                .settled(settledAt, expiresAt)
                .outcome(outcome)
                .steps(Map.of("reserve", "r_1".getBytes(StandardCharsets.UTF_8)))
                .history(List.of(
                        new HistoryEntry(THERE.minusSeconds(61), 2, 17, "taken over", "lease lapsed: 40 s \u00fc")))
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .build();
    }
}
