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
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.EngineFailures;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A swap whose answer is lost is sent once more: it may have been carried out or not, and others may have been faster.
 * If that answer is lost too, the caller repeats the call.
 */
class LostAnswerTest {

    private static final Retention DAY = Retention.of(Duration.ofDays(1));

    private final Engine engine = new Engine();
    private final Key key = Key.of("tenant", "order-1");

    @Test
    void aClaimThatWasCarriedOutIsAcquired() {
        engine.loseAnswers(1);

        Lease lease = acquire();

        assertThat(answer(engine.settle(lease, Outcome.succeeded().build(), DAY)))
                .isTrue();
        assertThat(engine.sent).isEqualTo(3);
        assertThat(engine.reads).isZero();
    }

    @Test
    void aSettleThatWasCarriedOutIsDone() {
        Lease lease = acquire();
        engine.loseAnswers(3);
        Outcome outcome = Outcome.succeeded().build();

        assertThat(repeated(() -> engine.settle(lease, outcome, DAY))).isTrue();
        assertThat(answer(engine.claim(request()))).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void aClaimThatIsMadeAgainIsAcquiredOnce() {
        engine.loseAnswers(3);
        ClaimRequest request = request();

        Lease lease = ((Claim.Acquired) repeated(() -> engine.claim(request))).lease();

        assertThat(lease.attempt()).isEqualTo(1);
        assertThat(answer(engine.claim(request()))).isInstanceOf(Claim.InFlight.class);
        assertThat(answer(engine.settle(lease, Outcome.succeeded().build(), DAY)))
                .isTrue();
    }

    @Test
    void aReleaseThatWasCarriedOutIsDone() {
        Lease lease = acquire();
        engine.loseAnswers(1);

        assertThat(answer(engine.release(lease))).isTrue();

        assertThat(acquire().token()).isGreaterThan(lease.token());
    }

    @Test
    void whatWasNotCarriedOutIsSentAgain() {
        Lease lease = acquire();
        engine.loseRequests(3);

        assertThat(repeated(() -> engine.release(lease))).isTrue();

        assertThat(acquire().token()).isGreaterThan(lease.token());
    }

    /** Another caller claims the key after the release, and before it is sent again. */
    @Test
    void aReleaseThatOthersHaveSeenIsDone() {
        Lease lease = acquire();
        engine.loseAnswers(1);
        engine.afterLoss = () -> assertThat(answer(engine.claim(request()))).isInstanceOf(Claim.Acquired.class);

        assertThat(answer(engine.release(lease))).isTrue();

        assertThat(answer(engine.claim(request()))).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void aReleaseThatOthersHaveFollowedIsDone() {
        Lease lease = acquire();
        engine.loseAnswers(1);
        engine.afterLoss = () -> assertThat(answer(engine.release(acquire()))).isTrue();

        assertThat(answer(engine.release(lease))).isTrue();
    }

    @Test
    void ifNoServerAnswersTheStoreIsUnavailable() {
        engine.loseRequests(100);

        assertThatThrownBy(() -> answer(engine.claim(request()))).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(engine.sent).isEqualTo(2);
    }

    @Test
    void aCallThatIsGivenUpMayHaveTakenEffectAndCanBeMadeAgain() {
        engine.isSilent = true;
        CompletableFuture<Claim> claim = engine.claim(request()).toCompletableFuture();

        claim.cancel(true);

        assertThatThrownBy(claim::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aSwapThatMeetsOtherWritersIsSentAgainAFewTimes() {
        Lease lease = acquire();
        engine.isContended = true;
        engine.loseAnswers(3);

        assertThat(answer(engine.release(lease))).isTrue();

        engine.loseRequests(100);
        int before = engine.sent;
        assertThatThrownBy(() -> answer(engine.claim(request()))).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(engine.sent - before).isEqualTo(16);
    }

    /** A reader finishes what writers have begun, and so meets them too. */
    @Test
    void aLookThatMeetsWritersIsSentAgain() {
        acquire();
        engine.isContended = true;
        engine.readsToLose = 3;

        assertThat(answer(engine.find(key.digest()))).isPresent();
    }

    @Test
    void aRefusalIsNotSentAgain() {
        engine.refuses = true;

        assertThatThrownBy(() -> answer(engine.claim(request())))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("refused");
        assertThat(engine.sent).isEqualTo(1);
    }

    private ClaimRequest request() {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .build();
    }

    private Lease acquire() {
        return ((Claim.Acquired) answer(engine.claim(request()))).lease();
    }

    /** Makes a call until it is answered, as the engine does. */
    private static <T> T repeated(Supplier<CompletionStage<T>> call) {
        while (true) {
            try {
                return answer(call.get());
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
            }
        }
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** An engine whose servers go down at the worst moment. */
    private static final class Engine extends ScanningCasKeyStore {

        private final Map<KeyDigest, Cell> cells = new ConcurrentHashMap<>();
        private final SharedClock clock = new SharedClock("engine", InstantSource.system(), Duration.ofSeconds(2));
        private volatile int requestsToLose;
        private volatile int answersToLose;
        private volatile int readsToLose;
        private volatile boolean refuses;
        private volatile boolean isSilent;
        private volatile boolean isContended;
        private volatile Runnable afterLoss = () -> {};
        private volatile int sent;
        private volatile int reads;

        Engine() {
            super("the store of the test", EngineFailures.of("the engine", failure -> false));
        }

        @Override
        protected boolean isContention(Throwable failure) {
            return isContended;
        }

        void loseRequests(int count) {
            requestsToLose = count;
        }

        void loseAnswers(int count) {
            answersToLose = count;
        }

        @Override
        protected synchronized CompletionStage<@Nullable Cell> read(KeyDigest digest) {
            reads = reads + 1;
            if (readsToLose > 0) {
                readsToLose = readsToLose - 1;
                return CompletableFuture.failedFuture(new IOException("the server went down before"));
            }
            return CompletableFuture.completedFuture(cells.get(digest));
        }

        @Override
        protected synchronized CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
            sent = sent + 1;
            if (isSilent) {
                return new CompletableFuture<>();
            }
            if (refuses) {
                return CompletableFuture.failedFuture(new IllegalStateException("not allowed"));
            }
            if (requestsToLose > 0) {
                requestsToLose = requestsToLose - 1;
                return CompletableFuture.failedFuture(new IOException("the server went down before"));
            }
            Cell before = cells.get(digest);
            boolean done = (before == null ? Cell.ABSENT : before.version()) == expectedVersion;
            if (done) {
                cells.put(digest, next);
            }
            if (answersToLose > 0) {
                answersToLose = answersToLose - 1;
                afterLoss.run();
                return CompletableFuture.failedFuture(new IOException("the server went down afterwards"));
            }
            return CompletableFuture.completedFuture(new Swap(done, done ? null : before));
        }

        @Override
        protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected CompletionStage<Size> size() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SharedClock clock() {
            return clock;
        }

        @Override
        protected void closeEngine() {}
    }
}
