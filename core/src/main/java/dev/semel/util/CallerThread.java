package dev.semel.util;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * The thread of a blocking call. While it waits it runs no other tasks, unlike {@link CompletableFuture#join} in a
 * fork-join pool: another task must not see the caller's transaction and thread-locals.
 */
public final class CallerThread {

    private CallerThread() {}

    /** Waits until the stage is complete, then returns its value or throws its failure as it is. */
    public static <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> result = stage.toCompletableFuture();
        if (!result.isDone()) {
            waitFor(result);
        }
        try {
            return result.join();
        } catch (RuntimeException e) {
            throw Failures.<RuntimeException>sneaky(Failures.unwrap(e));
        }
    }

    private static void waitFor(CompletableFuture<?> result) {
        CountDownLatch done = new CountDownLatch(1);
        result.handle((value, failure) -> {
            done.countDown();
            return true;
        });
        // The claim may be under way: leaving on an interrupt would orphan it. Every wait here is bounded.
        Threads.awaitUninterrupted(done::await);
    }
}
