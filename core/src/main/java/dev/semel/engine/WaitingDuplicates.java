package dev.semel.engine;

import dev.semel.KeyDigest;
import dev.semel.lease.RunningAttempt;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets duplicates wait for an outcome, without a thread or a connection each.
 *
 * <p>A duplicate of an operation that runs in this process is woken when it ends. Any other looks again after a while,
 * less and less often.
 */
final class WaitingDuplicates {

    private static final long FIRST_POLL_MILLIS = 20;
    private static final long LAST_POLL_MILLIS = 500;
    private static final long LOCAL_POLL_MILLIS = 1_000;

    private final Map<KeyDigest, CompletableFuture<Void>> running = new ConcurrentHashMap<>();
    private final AtomicInteger waiters = new AtomicInteger();
    private final int maxWaiters;

    WaitingDuplicates(int maxWaiters) {
        this.maxWaiters = maxWaiters;
    }

    void started(RunningAttempt attempt) {
        running.put(attempt.key().digest(), attempt.ended());
    }

    void ended(RunningAttempt attempt) {
        running.remove(attempt.key().digest(), attempt.ended());
        attempt.ended().complete(null);
    }

    /** Takes a place among the waiters, if there is one left. */
    boolean enter() {
        if (waiters.incrementAndGet() > maxWaiters) {
            waiters.decrementAndGet();
            return false;
        }
        return true;
    }

    int count() {
        return waiters.get();
    }

    void leave() {
        waiters.decrementAndGet();
    }

    /** Completes when it is worth looking again: the {@code round}-th time, and not after {@code left}. */
    CompletionStage<Void> nextLook(KeyDigest digest, int round, Duration left) {
        CompletableFuture<Void> end = running.get(digest);
        long poll =
                end != null ? LOCAL_POLL_MILLIS : Math.min(FIRST_POLL_MILLIS << Math.min(round, 10), LAST_POLL_MILLIS);
        long millis = Math.max(1, Math.min(poll, left.toMillis()));
        CompletableFuture<Void> look = end != null ? end.copy() : new CompletableFuture<>();
        return look.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
    }
}
