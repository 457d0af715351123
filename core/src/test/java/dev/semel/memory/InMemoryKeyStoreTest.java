package dev.semel.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Its bounds and its figures; what it shares with every store is in the store contract. */
class InMemoryKeyStoreTest {

    private static final Retention HOUR = Retention.of(Duration.ofHours(1));

    private Instant now = Instant.parse("2001-02-03T04:05:06Z");

    private InMemoryKeyStore.Builder builder() {
        return InMemoryKeyStore.builder().clock(() -> now);
    }

    @Test
    void refusesNewKeysWhenItIsFull() {
        InMemoryKeyStore store = builder().maxKeys(2).build();
        claim(store, "a");
        claim(store, "b");

        assertThatThrownBy(() -> claim(store, "c"))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("full: it holds 2 keys");
        assertThat(ask(store.claim(request("a")))).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void makesRoomByPurgingWhatHasOutlivedItsRetention() {
        InMemoryKeyStore store = builder().maxKeys(2).build();
        ask(store.settle(claim(store, "a"), Outcome.succeeded().build(), HOUR));
        claim(store, "b");
        now = now.plus(HOUR.total());

        claim(store, "c");

        assertThat(ask(store.find(Key.of("shop", "a").digest()))).isEmpty();
        assertThat(ask(store.find(Key.of("shop", "b").digest()))).isPresent();
    }

    @Test
    void refusesAPayloadThatDoesNotFitAndKeepsTheKeyPending() {
        InMemoryKeyStore store = builder().maxBytes(10).build();
        Lease lease = claim(store, "a");

        assertThatThrownBy(() -> ask(store.settle(lease, outcome(11), HOUR)))
                .hasCauseInstanceOf(PayloadTooLargeException.class)
                .hasMessageContaining("11 bytes is over the store's limit of 10");

        assertThat(ask(store.claim(request("a")))).isInstanceOf(Claim.InFlight.class);
        assertThat(ask(store.settle(lease, outcome(10), HOUR))).isTrue();
    }

    @Test
    void keepsEmptyAndMissingPayloadsHoweverFullItIs() {
        InMemoryKeyStore store = builder().maxBytes(10).build();
        ask(store.settle(claim(store, "a"), outcome(10), HOUR));

        Outcome notKept = Outcome.succeeded().payload((byte[]) null).build();
        assertThat(ask(store.settle(claim(store, "b"), outcome(0), HOUR))).isTrue();
        assertThat(ask(store.settle(claim(store, "c"), notKept, HOUR))).isTrue();
        assertThatThrownBy(() -> ask(store.settle(claim(store, "d"), outcome(1), HOUR)))
                .hasMessageContaining("limit of 0");
    }

    @Test
    void aSettleSentAgainIsTrueHoweverFullItIs() {
        InMemoryKeyStore store = builder().maxBytes(10).build();
        Lease lease = claim(store, "a");
        assertThat(ask(store.settle(lease, outcome(10), HOUR))).isTrue();

        assertThat(ask(store.settle(lease, outcome(10), HOUR))).isTrue();
    }

    @Test
    void countsStepResultsAndGivesTheirRoomBack() {
        InMemoryKeyStore store = builder().maxBytes(10).build();
        Lease lease = claim(store, "a");
        assertThat(ask(store.recordStep(lease, "one", new byte[6]))).isTrue();
        assertThat(ask(store.recordStep(lease, "two", new byte[4]))).isTrue();
        assertThat(ask(store.statistics()).bytes()).isEqualTo(10);

        assertThat(ask(store.recordStep(lease, "one", new byte[6]))).isTrue();
        assertThatThrownBy(() -> ask(store.recordStep(lease, "three", new byte[1])))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("no room for a step result of 1 bytes: the in-memory store holds 10 of 10");

        ask(store.release(lease));
        assertThat(ask(store.statistics()).bytes()).isZero();
    }

    @Test
    void weighsStepsAndPayloadTogether() {
        InMemoryKeyStore store = builder().build();
        Lease lease = claim(store, "a");
        ask(store.recordStep(lease, "one", new byte[6]));
        ask(store.settle(lease, outcome(100), HOUR));

        assertThat(ask(store.statistics()).bytes()).isEqualTo(106);
    }

    @Test
    void tellsHowOldUnfinishedClaimsAre() {
        InMemoryKeyStore store = builder().build();
        assertThat(ask(store.statistics()).pendingAge()).isEqualTo(StoreStatistics.PendingAge.NONE);
        ask(store.settle(claim(store, "done"), outcome(0), HOUR));
        for (int i = 0; i < 100; i++) {
            claim(store, "key-" + i);
            now = now.plusSeconds(1);
        }

        StoreStatistics.PendingAge age = ask(store.statistics()).pendingAge();
        assertThat(age.p50()).isEqualTo(Duration.ofSeconds(50));
        assertThat(age.p95()).isEqualTo(Duration.ofSeconds(95));
        assertThat(age.p99()).isEqualTo(Duration.ofSeconds(99));
        assertThat(age.max()).isEqualTo(Duration.ofSeconds(100));
    }

    @Test
    void tellsHowFarThePurgeIsBehind() {
        InMemoryKeyStore store = builder().build();
        ask(store.settle(claim(store, "first"), outcome(0), HOUR));
        now = now.plusSeconds(10);
        ask(store.settle(claim(store, "second"), outcome(0), HOUR));
        assertThat(ask(store.statistics()).purgeLag()).isZero();

        now = now.plus(HOUR.total());

        StoreStatistics statistics = ask(store.statistics());
        assertThat(statistics.purgeLag()).isEqualTo(Duration.ofSeconds(10));
        assertThat(statistics.keys()).containsEntry(KeyState.EXPIRED, 2L);
        assertThat(statistics.at()).isEqualTo(now);
    }

    @Test
    void needsRoomForAKey() {
        assertThatThrownBy(() -> builder().maxKeys(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0 keys");
        assertThatThrownBy(() -> builder().maxBytes(-1).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 bytes");
        InMemoryKeyStore smallest = builder().maxKeys(1).maxBytes(0).build();
        assertThat(ask(smallest.settle(claim(smallest, "a"), outcome(0), HOUR))).isTrue();
    }

    private static Outcome outcome(int size) {
        return Outcome.succeeded().payload(new byte[size]).build();
    }

    private static Lease claim(InMemoryKeyStore store, String value) {
        return ((Claim.Acquired) ask(store.claim(request(value)))).lease();
    }

    private static ClaimRequest request(String value) {
        return ClaimRequest.builder(Key.of("shop", value), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(1))
                .build();
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
