package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.StoreStatistics;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The list of keys, for people. */
public interface InspectedKeys extends TestGroup {

    @Test
    default void findsNothingWhereNothingIs() {
        assertThat(node().find(bench().newKey())).isEmpty();
    }

    @Test
    default void findsEveryState() {
        everyState().forEach((state, key) -> assertThat(node().state(key)).isEqualTo(state));
    }

    @Test
    default void aRecordSaysEverythingOfAPendingKey() {
        Key key = new Namespace(3, "payments").key(bench().scope(), "Größe \uD83D\uDE00");
        ClaimRequest request = ClaimRequest.builder(key, "charge", ClaimTemplate.BODY)
                .lease(LIVE)
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .build();
        Lease lease = node().acquire(request);

        KeyRecord found = bench().newNode().record(key);

        assertThat(found.key()).isEqualTo(key);
        assertThat(found.operation()).isEqualTo("charge");
        assertThat(found.state()).isEqualTo(KeyState.PENDING);
        assertThat(found.attempt()).isEqualTo(1);
        assertThat(found.token()).isEqualTo(lease.token());
        assertThat(found.fingerprint()).isEqualTo(ClaimTemplate.BODY);
        assertThat(found.traceId()).isEqualTo(request.traceId());
        assertThat(found.outcome()).isNull();
        assertThat(found.settledAt()).isNull();
        assertThat(found.steps()).isEmpty();
    }

    @Test
    default void aNaturalKeyIsShownReadably() {
        String name = bench().newKey().value();
        Key key = Key.of(bench().scope(), Key.naturalValue("ship", name));
        node().acquire(ClaimRequest.builder(key, "ship", ClaimTemplate.BODY)
                .lease(LIVE)
                .build());

        KeyRecord found = node().record(key);

        assertThat(found.key().value()).isEqualTo("@ship:" + name);
        assertThat(found.key().digest()).isEqualTo(key.digest());
    }

    @Test
    default void aRecordSaysEverythingOfASettledKey() {
        node().settled(key(), OTHER, KEPT);
        Claim.Settled settled = node().replay(key());

        KeyRecord found = node().record(key());

        assertThat(found.state()).isEqualTo(KeyState.FAILED);
        assertThat(found.outcome()).isEqualTo(OTHER);
        assertThat(found.settledAt()).isEqualTo(settled.settledAt());
        assertThat(found.expiresAt()).isEqualTo(settled.expiresAt());
        assertThat(found.token()).isEqualTo(settled.token());
        assertThat(found.traceId()).isNull();
    }

    @Test
    default void aReplaySaysWhichTraceExecuted() {
        ClaimRequest request = ClaimRequest.builder(key(), "charge", ClaimTemplate.BODY)
                .lease(LIVE)
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .build();
        Lease lease = node().acquire(request);
        assertThat(node().settle(lease, DONE)).isTrue();

        assertThat(bench().newNode().replay(key()).traceId()).isEqualTo(request.traceId());
    }

    @Test
    default void aRecordShowsTheSteps() {
        Lease lease = node().acquire(key());
        assertThat(node().recordStep(lease, "charge", "ch_1".getBytes(StandardCharsets.UTF_8)))
                .isTrue();

        assertThat(node().record(key()).steps()).containsOnlyKeys("charge");
    }

    @Test
    default void aRecordShowsTheCurrentAttempt() {
        lapsed(key());
        Lease second = node().takenOver(key());

        KeyRecord found = node().record(key());

        assertThat(found.attempt()).isEqualTo(2);
        assertThat(found.token()).isEqualTo(second.token());
        assertThat(found.state()).isEqualTo(KeyState.PENDING);
    }

    @Test
    default void aReleasedKeyIsNoLongerFound() {
        assertThat(node().release(node().acquire(key()))).isTrue();

        assertThat(node().find(key())).isEqualTo(Optional.empty());
    }

    @Test
    default void pagesShowEachKeyExactlyOnce() {
        List<Key> keys = bench().newKeys(25);
        keys.forEach(node()::acquire);

        for (int limit : List.of(1, 7, 25, KeyQuery.MAX_LIMIT)) {
            assertThat(keysOf(KeyQuery.builder(limit).build())).containsExactlyInAnyOrderElementsOf(keys);
        }
    }

    @Test
    default void anEmptyStoreHasNoRecords() {
        assertThat(keysOf(KeyQuery.inState(KeyState.PENDING, 10))).isEmpty();
    }

    @Test
    default void pagesFilterByState() {
        everyState()
                .forEach((state, key) -> assertThat(keysOf(KeyQuery.inState(state, 2)))
                        .as("%s", state)
                        .containsExactly(key));
    }

    @Test
    default void pagesFilterByOperation() {
        Key charge = bench().newKey();
        Key refund = bench().newKey();
        node().acquire(ClaimTemplate.forKey(charge).named("charge"));
        node().acquire(ClaimTemplate.forKey(refund).named("refund"));

        assertThat(keysOf(KeyQuery.builder(10).operation("refund").build())).containsExactly(refund);
        assertThat(keysOf(KeyQuery.builder(10).operation("refun").build())).isEmpty();
        assertThat(keysOf(KeyQuery.builder(10).operation("refun%").build())).isEmpty();
    }

    @Test
    default void pagesFilterByScopeAndValue() {
        Key mine = Key.of("mine", "order-1");
        Key mineToo = Key.of("mine", "order-2");
        Key yours = Key.of("yours", "order-1");
        List.of(mine, mineToo, yours).forEach(node()::acquire);

        assertThat(keysOf(KeyQuery.builder(1).scope("mine").build())).containsExactlyInAnyOrder(mine, mineToo);
        assertThat(keysOf(KeyQuery.builder(1).value("order-1").build())).containsExactlyInAnyOrder(mine, yours);
        assertThat(keysOf(KeyQuery.builder(1)
                        .state(KeyState.PENDING)
                        .operation("charge")
                        .scope("yours")
                        .value("order-1")
                        .build()))
                .containsExactly(yours);
        assertThat(keysOf(KeyQuery.builder(10)
                        .state(KeyState.SUCCEEDED)
                        .scope("mine")
                        .build()))
                .isEmpty();
    }

    @Test
    default void statisticsCountTheKeysOfEachState() {
        everyState();
        node().acquire(bench().newKey());
        assumeTrue(node().statistics().exact(), "this store only estimates");

        Map<KeyState, Long> expected = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            expected.put(state, state == KeyState.PENDING ? 2L : 1L);
        }
        // A store may answer from a short-lived cache.
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            StoreStatistics statistics = node().statistics();
            assertThat(counts(statistics)).isEqualTo(expected);
            assertThat(statistics.pendingAge().max())
                    .isGreaterThanOrEqualTo(SHORT)
                    .isGreaterThanOrEqualTo(statistics.pendingAge().p99());
            assertThat(statistics.pendingAge().p50())
                    .isLessThanOrEqualTo(statistics.pendingAge().p95());
        });
    }

    private static Map<KeyState, Long> counts(StoreStatistics statistics) {
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            counts.put(state, statistics.keys().getOrDefault(state, 0L));
        }
        return counts;
    }

    /** One key in each state. The audit window keeps the expired one from being removed by the store itself. */
    private Map<KeyState, Key> everyState() {
        Map<KeyState, Key> keys = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            keys.put(state, bench().newKey());
        }
        node().acquire(ClaimTemplate.forKey(key(keys, KeyState.LAPSED)).withLease(SHORT));
        node().settled(key(keys, KeyState.EXPIRED), DONE, BRIEF.withAudit(LIVE));
        bench().pass();
        node().acquire(key(keys, KeyState.PENDING));
        assertThat(node().abandon(node().acquire(key(keys, KeyState.UNKNOWN)))).isTrue();
        node().settled(key(keys, KeyState.SUCCEEDED), DONE, KEPT);
        node().settled(key(keys, KeyState.FAILED), OTHER, KEPT);
        return keys;
    }

    private static Key key(Map<KeyState, Key> keys, KeyState state) {
        return Optional.ofNullable(keys.get(state)).orElseThrow();
    }

    /** Follows the cursor to the end. */
    private List<Key> keysOf(KeyQuery query) {
        List<Key> keys = new ArrayList<>();
        KeyQuery next = query;
        while (true) {
            KeyPage page = node().page(next);
            assertThat(page.records()).hasSizeLessThanOrEqualTo(query.limit());
            page.records().forEach(found -> keys.add(found.key()));
            if (page.next() == null) {
                return keys;
            }
            next = query.after(page.next());
        }
    }
}
