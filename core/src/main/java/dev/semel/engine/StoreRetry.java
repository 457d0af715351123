package dev.semel.engine;

import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Sends a store call again when its answer was lost. Every call of the store is safe to repeat, so the only question is
 * for how long: the caller's patience bounds every try, and what is given up is cancelled.
 */
final class StoreRetry {

    private static final long FIRST_DELAY_MILLIS = 20;
    private static final long LAST_DELAY_MILLIS = 1_000;

    private final ScheduledExecutorService timer;
    private final Duration timeout;
    private final Map<RepeatedCall<?>, StoreException> sleeping = new ConcurrentHashMap<>();

    StoreRetry(ScheduledExecutorService timer, Duration timeout) {
        this.timer = timer;
        this.timeout = timeout;
    }

    /** Repeats until the store answers, refuses for good, or {@code patience} has passed. No patience means one try. */
    <R> CompletableFuture<R> repeat(Supplier<CompletionStage<R>> call, Duration patience) {
        return repeat(call, patience, false, answer -> true);
    }

    /**
     * Like {@link #repeat(Supplier, Duration)}, for a call that may see its own earlier try as somebody else's.
     *
     * @param lost whether an answer has been lost before
     * @param conclusive whether an answer can be believed after one was lost; any other is asked for again
     */
    <R> CompletableFuture<R> repeat(
            Supplier<CompletionStage<R>> call, Duration patience, boolean lost, Predicate<R> conclusive) {
        RepeatedCall<R> repeated = new RepeatedCall<>(call, patience, lost, conclusive);
        repeated.send(FIRST_DELAY_MILLIS);
        return repeated.result;
    }

    /** Ends all repetitions with the failure they had last, when there is no time left to try again. */
    void giveUp() {
        for (RepeatedCall<?> call : sleeping.keySet()) {
            StoreException failure = sleeping.remove(call);
            if (failure != null) {
                call.result.completeExceptionally(failure);
            }
        }
    }

    private final class RepeatedCall<R> {

        private final Supplier<CompletionStage<R>> call;
        private final Duration patience;
        private final Predicate<R> conclusive;
        private final long deadline;
        private final CompletableFuture<R> result = new CompletableFuture<>();

        /** Whether a try may have taken effect without an answer. Tries follow each other. */
        private volatile boolean lost;

        RepeatedCall(Supplier<CompletionStage<R>> call, Duration patience, boolean lost, Predicate<R> conclusive) {
            this.call = call;
            this.patience = patience;
            this.lost = lost;
            this.conclusive = conclusive;
            this.deadline = System.nanoTime() + patience.toNanos();
        }

        void send(long delay) {
            Duration limit = limit();
            tryOnce(limit).whenComplete((answer, failure) -> {
                if (failure != null) {
                    failed(asStoreException(Failures.unwrap(failure), limit), delay);
                } else if (lost && !conclusive.test(answer)) {
                    failed(
                            new StoreUnavailableException(
                                    "the answer of the store was lost, and it is not known yet"
                                            + " whether the call took effect",
                                    null),
                            delay);
                } else {
                    result.complete(answer);
                }
            });
        }

        private Duration limit() {
            if (patience.isZero()) {
                return timeout;
            }
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            return left.compareTo(timeout) < 0 ? left : timeout;
        }

        private CompletionStage<R> tryOnce(Duration limit) {
            CompletableFuture<R> stage;
            try {
                stage = call.get().toCompletableFuture();
            } catch (Throwable e) {
                return CompletableFuture.failedFuture(new CompletionException(e));
            }
            // Answers that are there already, as those of a store in memory, need no timeout.
            if (stage.isDone()) {
                return stage;
            }
            return stage.copy()
                    .orTimeout(Math.max(1, limit.plusNanos(999_999).toMillis()), TimeUnit.MILLISECONDS)
                    .exceptionallyCompose(failure -> {
                        if (!(Failures.unwrap(failure) instanceof TimeoutException) || stage.isDone()) {
                            return stage;
                        }
                        stage.cancel(true);
                        // A store that knows more than that it was given up says so.
                        return stage.handle((answer, given) -> given)
                                .thenCompose(given -> CompletableFuture.failedFuture(
                                        given != null && Failures.unwrap(given) instanceof StoreException known
                                                ? known
                                                : failure));
                    });
        }

        private void failed(StoreException failure, long delay) {
            boolean notSent = isNotSent(failure);
            lost |= !notSent;
            if (!(failure instanceof StoreUnavailableException) || System.nanoTime() - deadline >= 0) {
                result.completeExceptionally(
                        lost && notSent
                                ? new StoreUnavailableException(String.valueOf(failure.getMessage()), failure)
                                : failure);
                return;
            }
            long jittered = ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            sleeping.put(this, failure);
            try {
                timer.schedule(
                        () -> {
                            if (sleeping.remove(this) != null) {
                                send(Math.min(delay * 2, LAST_DELAY_MILLIS));
                            }
                        },
                        Math.min(jittered, Math.max(1, left)),
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                giveUp();
            }
        }

        private StoreException asStoreException(Throwable cause, Duration limit) {
            return cause instanceof TimeoutException
                    ? new StoreUnavailableException(
                            "the store did not answer within " + limit.toMillis() + " ms", cause)
                    : cause instanceof StoreException known ? known : unexpected(cause);
        }

        /** A store that throws anything else has a bug; repeating the call would not mend it. */
        private static StoreException unexpected(Throwable cause) {
            return new StoreException("the store failed in an unexpected way: " + cause, cause);
        }

        private static boolean isNotSent(Throwable failure) {
            return Failures.unwrap(failure) instanceof StoreUnavailableException unavailable && unavailable.isNotSent();
        }
    }
}
