package dev.semel.engine;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Ends waits that have lasted too long. A sweep looks at all of them from time to time, because a timer for each would cost more
 * than the rest of a call, and nearly all of them end long before their time.
 */
public final class Deadlines {

    /** Something that waits. */
    @FunctionalInterface
    interface Wait {

        /** Whether it has ended. If its time has come it ends now; it must not throw. */
        boolean isOver(long now);
    }

    private static final Executor NEXT_SWEEP =
            CompletableFuture.delayedExecutor(25, TimeUnit.MILLISECONDS, Runnable::run);

    private final Queue<Wait> waits = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    void add(Wait wait) {
        waits.add(wait);
        sweepLater();
    }

    private void sweepLater() {
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            NEXT_SWEEP.execute(this::sweep);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        try {
            waits.removeIf(wait -> wait.isOver(now));
        } finally {
            sweeping.set(false);
            if (!waits.isEmpty()) {
                sweepLater();
            }
        }
    }

    /** An answer that nothing else puts a limit to: whoever never gets it would wait, and hold a key, for ever. */
    public <R> CompletionStage<R> within(Duration patience, String whose, Supplier<CompletionStage<R>> question) {
        CompletableFuture<R> answer;
        try {
            answer = question.get().toCompletableFuture().copy();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
        long deadline = System.nanoTime() + patience.toNanos();
        add(now -> (now - deadline >= 0
                        && answer.completeExceptionally(
                                new TimeoutException(whose + " did not answer within " + patience)))
                || answer.isDone());
        return answer;
    }

    /** The same work, but whoever waits for it is answered with {@code otherwise} when patience ends. */
    <R> CompletionStage<R> within(Duration patience, CompletableFuture<R> work, R otherwise) {
        if (work.isDone()) {
            return work;
        }
        CompletableFuture<R> answer = work.copy();
        long deadline = System.nanoTime() + patience.toNanos();
        add(now -> (now - deadline >= 0 && answer.complete(otherwise)) || answer.isDone());
        return answer;
    }
}
