package dev.semel.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.gateway.config.CallerLimits;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QuotasTest {

    private static final Duration DAY = Duration.ofHours(24);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);

    private Quotas quotas(CallerLimits limits) {
        return new Quotas(limits, 4, DAY, nanos::get);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static QuotaUse enter(Quotas quotas, String caller) {
        return (QuotaUse) quotas.enter(caller, 0, 0);
    }

    private static Limit over(Quotas quotas, String caller) {
        return ((QuotaDecision.Over) quotas.enter(caller, 0, 0)).limit();
    }

    @Test
    void letsInAsManyRequestsAsMayBeInFlight() {
        Quotas quotas = quotas(new CallerLimits(2, 0, 0, 0, 0, 0, 0));
        QuotaUse first = enter(quotas, "alice");
        enter(quotas, "alice");

        assertThat(quotas.enter("alice", 0, 0)).isEqualTo(new QuotaDecision.Over(Limit.IN_FLIGHT, 1));
        enter(quotas, "bob");

        first.close();
        first.close();
        enter(quotas, "alice");
        assertThat(over(quotas, "alice")).isEqualTo(Limit.IN_FLIGHT);
    }

    @Test
    void leavesRoomOnEachEventLoop() {
        Quotas quotas = quotas(new CallerLimits(100, 0, 0, 0, 0, 0, 0));
        for (int i = 0; i < 25; i++) {
            enter(quotas, "alice");
        }

        assertThat(over(quotas, "alice")).isEqualTo(Limit.IN_FLIGHT);
        assertThat(quotas.enter("alice", 1, 0)).isInstanceOf(QuotaUse.class);
    }

    @Test
    void aBurstMayComeAtOnceAndThenTheRateHolds() {
        Quotas quotas = quotas(new CallerLimits(0, 2, 3, 0, 0, 0, 0));
        for (int i = 0; i < 3; i++) {
            enter(quotas, "alice").close();
        }

        assertThat(quotas.enter("alice", 0, 0)).isEqualTo(new QuotaDecision.Over(Limit.RATE, 1));
        pass(Duration.ofMillis(500));
        enter(quotas, "alice").close();
        assertThat(over(quotas, "alice")).isEqualTo(Limit.RATE);
        pass(Duration.ofHours(1));
        for (int i = 0; i < 3; i++) {
            enter(quotas, "alice").close();
        }
        assertThat(over(quotas, "alice")).isEqualTo(Limit.RATE);
    }

    @Test
    void countsWhatIsBufferedUntilTheRequestEnds() {
        Quotas quotas = quotas(new CallerLimits(0, 0, 0, 100, 0, 0, 0));
        QuotaUse first = enter(quotas, "alice");

        assertThat(first.tryBuffer(60)).isTrue();
        first.buffer(30);
        assertThat(first.tryBuffer(20)).isFalse();
        assertThat(quotas.enter("alice", 0, 11)).isEqualTo(new QuotaDecision.Over(Limit.BUFFERED, 1));
        assertThat(quotas.enter("alice", 0, 10)).isInstanceOf(QuotaUse.class);

        first.close();
        first.buffer(1000);
        assertThat(quotas.enter("alice", 0, 100)).isInstanceOf(QuotaUse.class);
    }

    @Test
    void keysAreCountedForAsLongAsTheyAreKept() {
        Quotas quotas = quotas(new CallerLimits(0, 0, 0, 0, 2, 0, 0));
        QuotaUse use = enter(quotas, "alice");
        use.kept(10, Duration.ofHours(1));
        use.kept(10, DAY);

        assertThat(over(quotas, "alice")).isEqualTo(Limit.KEYS);
        assertThat(((QuotaDecision.Over) quotas.enter("alice", 0, 0)).retryAfter())
                .isBetween(1L, 3600L);
        pass(Duration.ofHours(3));
        use.kept(10, DAY);
        assertThat(over(quotas, "alice")).isEqualTo(Limit.KEYS);
        pass(Duration.ofHours(23));
        enter(quotas, "alice");
        assertThat(quotas.top(1).get(0).keys()).isEqualTo(1);
        pass(DAY.multipliedBy(30));
        assertThat(quotas.top(1).get(0).keys()).isZero();
    }

    @Test
    void bytesAreCountedForAsLongAsTheyAreKept() {
        Quotas quotas = quotas(new CallerLimits(0, 0, 0, 0, 0, 100, 0));
        enter(quotas, "alice").kept(100, DAY);

        assertThat(over(quotas, "alice")).isEqualTo(Limit.BYTES);
        pass(DAY.plus(DAY.dividedBy(KeptKeys.SLOTS)));
        enter(quotas, "alice");
    }

    @Test
    void aCallerThatIsForgottenOrInventedTakesNoMemory() {
        Quotas quotas = quotas(new CallerLimits(10, 10, 10, 10, 10, 10, 10));
        List<QuotaUse> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(enter(quotas, "working-" + i));
        }
        for (int i = 0; i < 50_000; i++) {
            QuotaUse use = enter(quotas, "x".repeat(i % 2000) + i);
            use.kept(1, DAY);
            use.close();
        }

        assertThat(quotas.size()).isEqualTo(Quotas.REMEMBERED + held.size());
        assertThat(quotas.top(Integer.MAX_VALUE))
                .allSatisfy(use -> assertThat(use.caller()).hasSizeLessThanOrEqualTo(Key.MAX_LENGTH))
                .filteredOn(use -> use.inFlight() > 0)
                .hasSameSizeAs(held);
    }

    @Test
    void theCallersNearestToTheirLimitsComeFirst() {
        Quotas quotas = quotas(new CallerLimits(10, 0, 0, 1000, 0, 0, 0));
        enter(quotas, "quiet").close();
        enter(quotas, "large").tryBuffer(900);
        for (int i = 0; i < 5; i++) {
            enter(quotas, "busy");
        }

        assertThat(quotas.top(2)).extracting(CallerUse::caller).containsExactly("large", "busy");
    }

    @Test
    void asksTheStoreWhoseKeysAreUnknown() {
        Quotas quotas = quotas(new CallerLimits(0, 0, 0, 0, 0, 0, 2));
        try (InMemoryKeyStore store = InMemoryKeyStore.create()) {
            Claim.Acquired first = abandoned(store, Key.of("alice", "k1"));
            abandoned(store, Key.of("alice", "k2"));
            abandoned(store, new Key(Namespace.parse("v1:other"), "bob", "k1"));
            abandoned(store, new Key(Namespace.parse("v1:other"), "bob", "k2"));
            join(quotas.askForUnknown(store, Namespace.DEFAULT, null));

            assertThat(quotas.enter("alice", 0, 0)).isInstanceOf(QuotaDecision.Over.class);
            enter(quotas, "bob");

            join(store.resolve(
                    first.lease().digest(), first.lease().token(), new Resolution.Release(), "it never arrived"));
            join(quotas.askForUnknown(store, Namespace.DEFAULT, null));
            QuotaUse use = enter(quotas, "alice");
            use.leftUnknown();
            assertThat(over(quotas, "alice")).isEqualTo(Limit.UNKNOWN);
        }
    }

    @Test
    void takesTheStoresWordThatNothingIsUnknown() {
        Quotas quotas = quotas(new CallerLimits(0, 0, 0, 0, 0, 0, 1));
        try (InMemoryKeyStore store = InMemoryKeyStore.create()) {
            enter(quotas, "alice").leftUnknown();
            StoreStatistics empty = join(store.statistics());

            join(quotas.askForUnknown(store, Namespace.DEFAULT, empty));
            assertThat(over(quotas, "alice")).as("it may be newer than that").isEqualTo(Limit.UNKNOWN);
            join(quotas.askForUnknown(store, Namespace.DEFAULT, empty));
            enter(quotas, "alice");
        }
    }

    private static Claim.Acquired abandoned(InMemoryKeyStore store, Key key) {
        Claim.Acquired acquired =
                (Claim.Acquired) join(store.claim(ClaimRequest.builder(key, "charge", Fingerprint.of("f"))
                        .lease(Duration.ofSeconds(30))
                        .build()));
        join(store.abandon(acquired.lease()));
        return acquired;
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
