package dev.semel.retry;

import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a store call again when its answer was lost. Every call of the store is safe to repeat, so the only question is
 * for how long: the caller's patience limits every try, and a try that is given up is cancelled.
 */
public final class StoreRetry {

    private static final long FIRST_DELAY_MILLIS = 20;
    private static final long LAST_DELAY_MILLIS = 1_000;

    private final ScheduledExecutorService timer;
    private final Deadlines deadlines;
    private final StoreCircuit circuit;
    private final long timeout;
    private final Map<RepeatedCall<?>, StoreException> sleeping = new ConcurrentHashMap<>();

    public StoreRetry(ScheduledExecutorService timer, Deadlines deadlines, StoreCircuit circuit, Duration timeout) {
        this.timer = timer;
        this.deadlines = deadlines;
        this.circuit = circuit;
        this.timeout = timeout.toNanos();
    }

    /** Repeats until the store answers, refuses for good, or {@code patience} has passed. No patience means one try. */
    public <R> CompletableFuture<R> repeat(Supplier<CompletionStage<R>> call, Duration patience) {
        return start(new RepeatedCall<>(call, patience, false, answer -> true, false));
    }

    /**
     * Like {@link #repeat(Supplier, Duration)}, for a call that has already lost an answer, and that may mistake its
     * own earlier try for another attempt's.
     *
     * @param conclusive whether an answer is reliable after one was lost; otherwise the call is sent again
     */
    public <R> CompletableFuture<R> repeatLost(
            Supplier<CompletionStage<R>> call, Duration patience, Predicate<R> conclusive) {
        return start(new RepeatedCall<>(call, patience, true, conclusive, false));
    }

    /**
     * Like {@link #repeatLost}, for a call that has not lost an answer yet. While the store is known not to answer, it
     * is refused immediately.
     */
    public <R> CompletableFuture<R> repeatWhileUp(
            Supplier<CompletionStage<R>> call, Duration patience, Predicate<R> conclusive) {
        return start(new RepeatedCall<>(call, patience, false, conclusive, true));
    }

    private <R> CompletableFuture<R> start(RepeatedCall<R> repeated) {
        repeated.send(repeated.startedAt);
        if (!repeated.isDone()) {
            deadlines.add(repeated);
        }
        return repeated;
    }

    /** Ends all repetitions with their last failure, when there is no time left to try again. */
    public void giveUp() {
        for (RepeatedCall<?> call : sleeping.keySet()) {
            StoreException failure = sleeping.remove(call);
            if (failure != null) {
                call.completeExceptionally(failure);
            }
        }
    }

    /** A call, its tries one after the other, and the future of its answer. */
    private final class RepeatedCall<R> extends CompletableFuture<R>
            implements BiConsumer<R, @Nullable Throwable>, Deadlines.Wait {

        private final Supplier<CompletionStage<R>> call;
        private final Predicate<R> conclusive;
        private final boolean onlyWhileUp;
        private final boolean once;
        private final long startedAt = System.nanoTime();
        private final long deadline;
        private long delay = FIRST_DELAY_MILLIS;

        /** The time at which the current try was sent, its limit, and its deadline. Written before it is sent. */
        private long sentAt;

        private long limit;

        private volatile long limitEnds;

        /** Whether the circuit knows that this try is slow. Used by the sweep only. */
        private boolean slow;

        private volatile @Nullable CompletableFuture<R> sent;

        /** Whether the present try was given up. */
        private volatile boolean late;

        /** Whether a try may have taken effect without an answer. */
        private volatile boolean lost;

        RepeatedCall(
                Supplier<CompletionStage<R>> call,
                Duration patience,
                boolean lost,
                Predicate<R> conclusive,
                boolean onlyWhileUp) {
            this.call = call;
            this.lost = lost;
            this.conclusive = conclusive;
            this.onlyWhileUp = onlyWhileUp;
            this.once = patience.isZero();
            this.deadline = startedAt + patience.toNanos();
        }

        void send(long now) {
            StoreUnavailableException refusal = onlyWhileUp ? circuit.refusal() : null;
            if (refusal != null) {
                giveUp(refusal);
                return;
            }
            sentAt = now;
            slow = false;
            limit = once ? timeout : Math.min(timeout, deadline - now);
            limitEnds = now + limit;
            late = false;
            CompletableFuture<R> stage;
            try {
                stage = call.get().toCompletableFuture();
            } catch (Throwable e) {
                failed(asStoreException(e));
                return;
            }
            if (stage.isDone() && !stage.isCompletedExceptionally()) {
                accept(stage.join(), null);
                return;
            }
            sent = stage;
            stage.whenComplete(this);
        }

        @Override
        public boolean isOver(long now) {
            CompletableFuture<R> stage = sent;
            if (stage != null && !stage.isDone()) {
                if (now - limitEnds >= 0) {
                    late = true;
                    withdraw(stage);
                } else if (!slow && now - sentAt >= StoreCircuit.SLOW.toNanos()) {
                    slow = true;
                    circuit.suspect(sentAt, new StoreUnavailableException("the store takes long to answer", null));
                }
            }
            return isDone();
        }

        /** Cancels a store call. The store may complete it with a more precise failure. */
        private static void withdraw(CompletableFuture<?> stage) {
            try {
                stage.cancel(true);
            } catch (Throwable e) {
                stage.completeExceptionally(e);
            }
        }

        @Override
        public void accept(R answer, @Nullable Throwable failure) {
            if (failure != null) {
                failed(asStoreException(Failures.unwrap(failure)));
                return;
            }
            circuit.answered();
            if (lost && !conclusive.test(answer)) {
                failed(new StoreUnavailableException(
                        "the answer of the store was lost, and it is not known yet whether the call took effect",
                        null));
            } else {
                complete(answer);
            }
        }

        private void failed(StoreException failure) {
            boolean notSent = failure instanceof StoreUnavailableException unavailable && unavailable.isNotSent();
            lost |= !notSent;
            if (failure instanceof StoreUnavailableException) {
                circuit.suspect(sentAt, failure);
            } else {
                circuit.answered();
            }
            long left = deadline - System.nanoTime();
            if (!(failure instanceof StoreUnavailableException) || left <= 0) {
                giveUp(failure);
                return;
            }
            long jittered = ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
            delay = Math.min(delay * 2, LAST_DELAY_MILLIS);
            sleeping.put(this, failure);
            try {
                timer.schedule(
                        () -> {
                            if (sleeping.remove(this) != null) {
                                send(System.nanoTime());
                            }
                        },
                        Math.min(jittered, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left))),
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                StoreRetry.this.giveUp();
            }
        }

        /**
         * Fails the call. If an earlier try may have taken effect, the failure must not say that the call was not sent.
         */
        private void giveUp(StoreException failure) {
            boolean notSent = failure instanceof StoreUnavailableException unavailable && unavailable.isNotSent();
            completeExceptionally(
                    lost && notSent
                            ? new StoreUnavailableException(String.valueOf(failure.getMessage()), failure)
                            : failure);
        }

        /** A store that throws anything else than its own exceptions has a bug; repeating the call would not fix it. */
        private StoreException asStoreException(Throwable cause) {
            if (cause instanceof StoreException known) {
                return known;
            }
            return late
                    ? new StoreUnavailableException(
                            "the store did not answer within " + TimeUnit.NANOSECONDS.toMillis(limit) + " ms", cause)
                    : new StoreException("the store failed in an unexpected way: " + cause, cause);
        }
    }
}
