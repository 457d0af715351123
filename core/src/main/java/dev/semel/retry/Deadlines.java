package dev.semel.retry;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends waits that have lasted too long. A sweep looks at all of them from time to time: nearly all end long before
 * their deadline, and a timer for each would cost more.
 */
public final class Deadlines {

    /** Something that waits. */
    @FunctionalInterface
    interface Wait {

        /** Ends the wait if its deadline has passed, and returns whether it has ended. Must not throw. */
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

    /** Limits the wait for an answer that has no limit of its own. Without it, a caller could wait, and hold a key, forever. */
    public <R> CompletionStage<R> within(Duration patience, String whose, Supplier<CompletionStage<R>> question) {
        try {
            return within(
                    patience,
                    question.get().toCompletableFuture(),
                    answer -> answer.completeExceptionally(
                            new TimeoutException(whose + " did not answer within " + patience)));
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Limits the wait for work that goes on in the background: when patience ends, {@code otherwise} gives the answer. */
    public <R> CompletionStage<R> within(
            Duration patience, CompletableFuture<R> work, Consumer<CompletableFuture<R>> otherwise) {
        if (work.isDone()) {
            return work;
        }
        CompletableFuture<R> answer = work.copy();
        long deadline = System.nanoTime() + patience.toNanos();
        add(now -> {
            if (now - deadline >= 0) {
                otherwise.accept(answer);
            }
            return answer.isDone();
        });
        return answer;
    }
}
