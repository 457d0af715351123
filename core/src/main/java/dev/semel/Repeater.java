package dev.semel;

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
import java.util.function.Supplier;

/**
 * Sends a store call again when its answer was lost. Every call of the store is safe to repeat, so the only question is
 * for how long.
 */
final class Repeater {

    private static final long FIRST_DELAY_MILLIS = 20;
    private static final long LAST_DELAY_MILLIS = 1_000;

    private final ScheduledExecutorService timer;
    private final Duration timeout;
    private final Map<CompletableFuture<?>, StoreException> sleeping = new ConcurrentHashMap<>();

    Repeater(ScheduledExecutorService timer, Duration timeout) {
        this.timer = timer;
        this.timeout = timeout;
    }

    /** Repeats until the store answers, refuses for good, or a try fails after {@code patience} has passed. */
    <R> CompletableFuture<R> repeat(Supplier<CompletionStage<R>> call, Duration patience) {
        CompletableFuture<R> result = new CompletableFuture<>();
        attempt(call, System.nanoTime() + patience.toNanos(), FIRST_DELAY_MILLIS, result);
        return result;
    }

    private <R> void attempt(
            Supplier<CompletionStage<R>> call, long deadline, long delay, CompletableFuture<R> result) {
        send(call).whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(answer);
                return;
            }
            Throwable cause = Failures.unwrap(failure);
            StoreException storeFailure = cause instanceof TimeoutException
                    ? new StoreUnavailableException("the store did not answer within " + timeout, cause)
                    : Failures.asStoreException(cause);
            if (!(storeFailure instanceof StoreUnavailableException) || System.nanoTime() - deadline >= 0) {
                result.completeExceptionally(storeFailure);
                return;
            }
            long jittered = ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
            sleeping.put(result, storeFailure);
            try {
                timer.schedule(
                        () -> {
                            if (sleeping.remove(result) != null) {
                                attempt(call, deadline, Math.min(delay * 2, LAST_DELAY_MILLIS), result);
                            }
                        },
                        jittered,
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                giveUp();
            }
        });
    }

    /** Ends all repetitions with the failure they had last, when there is no time left to try again. */
    void giveUp() {
        for (CompletableFuture<?> result : sleeping.keySet()) {
            StoreException failure = sleeping.remove(result);
            if (failure != null) {
                result.completeExceptionally(failure);
            }
        }
    }

    private <R> CompletionStage<R> send(Supplier<CompletionStage<R>> call) {
        try {
            CompletableFuture<R> stage = call.get().toCompletableFuture();
            // Answers that are there already, as those of a store in memory, need no timeout.
            return stage.isDone() ? stage : stage.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(new CompletionException(e));
        }
    }
}
