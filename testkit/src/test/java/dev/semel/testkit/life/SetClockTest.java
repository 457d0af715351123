package dev.semel.testkit.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of a machine is set while its store is in use. Other machines have the right time. */
class SetClockTest {

    private static final Key KEY = Key.of("alice", "order-1");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();

    private final Rows rows = new Rows();
    private volatile Duration wrongBy = Duration.ZERO;
    private final MapCasKeyStore store = new MapCasKeyStore(rows, clock(), true);

    /** An engine in which something may happen while it is written to. */
    private static final class Rows extends ConcurrentSkipListMap<KeyDigest, MapCasKeyStore.Row> {

        private static final long serialVersionUID = 1L;

        private transient volatile Runnable afterWrite = () -> {};

        @Override
        public MapCasKeyStore.Row compute(
                KeyDigest digest,
                BiFunction<? super KeyDigest, ? super MapCasKeyStore.Row, ? extends MapCasKeyStore.Row> change) {
            MapCasKeyStore.Row row = super.compute(digest, change);
            afterWrite.run();
            return row;
        }
    }

    private SharedClock clock() {
        return new SharedClock(
                "the map",
                () -> Instant.now().plus(wrongBy),
                Duration.ofSeconds(2),
                new EngineTime(() -> CompletableFuture.completedFuture(Instant.now()), Duration.ofMillis(1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {24, -24})
    void aRenewalExtendsTheLeaseFromTheRightTime(long hours) {
        Lease lease = acquired(claim(false));
        wrongBy = Duration.ofHours(hours);

        assertThat(answer(store.renew(List.of(new Renewal(lease, LEASE))))).containsExactly(lease);

        assertThat(leaseUntil())
                .isBetween(
                        Instant.now().plus(LEASE).minusSeconds(10),
                        Instant.now().plus(LEASE).plusSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {24, -24})
    void anOutcomeIsKeptForItsRetention(long hours) {
        Lease lease = acquired(claim(false));
        wrongBy = Duration.ofHours(hours);

        assertThat(answer(store.settle(lease, DONE, Retention.of(RETENTION)))).isTrue();

        wrongBy = Duration.ZERO;
        Claim.Settled settled = (Claim.Settled) claim(false);
        assertThat(settled.expiresAt())
                .isBetween(
                        Instant.now().plus(RETENTION).minusSeconds(10),
                        Instant.now().plus(RETENTION).plusSeconds(10));
    }

    @Test
    void aKeyIsNotTakenOverWhenTheClockIsSetDuringTheClaim() {
        acquired(claim(false));
        rows.afterWrite = () -> wrongBy = Duration.ofHours(24);

        assertThatThrownBy(() -> claim(true)).hasRootCauseInstanceOf(StoreException.class);

        rows.afterWrite = () -> {};
        wrongBy = Duration.ZERO;
        assertThat(claim(true)).isInstanceOf(Claim.InFlight.class);
    }

    private Claim claim(boolean takeOver) {
        return answer(store.claim(ClaimRequest.builder(KEY, "charge", Fingerprint.of("body"))
                .lease(LEASE)
                .retention(Retention.of(RETENTION))
                .takeOver(takeOver)
                .build()));
    }

    private Instant leaseUntil() {
        wrongBy = Duration.ZERO;
        return answer(store.find(KEY.digest())).orElseThrow().leaseUntil();
    }

    private static Lease acquired(Claim claim) {
        return ((Claim.Acquired) claim).lease();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
