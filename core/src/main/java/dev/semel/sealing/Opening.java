package dev.semel.sealing;

import dev.semel.KeyDigest;
import dev.semel.store.CannotOpenException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Opens the sealed parts of a store's answer. The store has answered by then, so a caller that waits too long gets the
 * error that the answer cannot be opened yet, and not that the store gave no answer.
 */
final class Opening<T> extends CompletableFuture<T> {

    private final KeyDigest digest;

    private Opening(KeyDigest digest) {
        this.digest = digest;
    }

    /** Completes like the work. A data key that was requested is still fetched for the next caller. */
    static <T> Opening<T> of(KeyDigest digest, CompletableFuture<T> work) {
        Opening<T> opening = new Opening<>(digest);
        work.whenComplete((opened, failure) -> {
            if (failure != null) {
                opening.completeExceptionally(failure);
            } else {
                opening.complete(opened);
            }
        });
        return opening;
    }

    /** The same, but it ends after this long. */
    static <T> Opening<T> of(KeyDigest digest, CompletableFuture<T> work, Duration limit) {
        Opening<T> opening = of(digest, work);
        if (!opening.isDone()) {
            delayed(limit, opening::giveUp);
        }
        return opening;
    }

    private static void delayed(Duration limit, Runnable task) {
        CompletableFuture.delayedExecutor(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    private boolean giveUp() {
        return completeExceptionally(new CannotOpenException(
                digest, "the master keys have not unwrapped its data key yet; send the call again", null));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return giveUp() || isCompletedExceptionally();
    }
}
