package dev.semel.torture.node;

import dev.semel.torture.process.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An executor that can be full for a while: then it refuses what it is given. */
final class FullExecutor implements Executor {

    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("operations"));
    private volatile long fullUntil = System.nanoTime();

    void fill(long millis) {
        fullUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public void execute(Runnable work) {
        if (fullUntil - System.nanoTime() > 0) {
            throw new RejectedExecutionException("the executor is full, as the conductor asked for");
        }
        threads.execute(work);
    }
}
