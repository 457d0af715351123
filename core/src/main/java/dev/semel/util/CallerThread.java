package dev.semel.util;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An executor whose tasks run on the thread that waits for their result, so that a blocking call runs its operation on
 * its own thread, with its transaction and its thread-locals.
 */
public final class CallerThread implements Executor {

    private static final Runnable WAKE_UP = () -> {};

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs tasks until the stage is complete, then returns its value or throws its failure as it is. */
    public <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> result = stage.toCompletableFuture();
        result.whenComplete((value, failure) -> tasks.add(WAKE_UP));
        boolean interrupted = false;
        while (!result.isDone()) {
            try {
                tasks.take().run();
            } catch (InterruptedException e) {
                // The claim may be under way: leaving now would orphan it. Every wait here is bounded.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            return result.join();
        } catch (RuntimeException e) {
            throw Failures.<RuntimeException>sneaky(Failures.unwrap(e));
        }
    }
}
