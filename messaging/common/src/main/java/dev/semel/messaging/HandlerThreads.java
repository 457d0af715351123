package dev.semel.messaging;

import dev.semel.util.Threads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The threads for handlers: those of a given executor, or the consumer's own, which end with it. */
public final class HandlerThreads implements Executor, AutoCloseable {

    private final Executor executor;
    private final @Nullable ExecutorService own;

    private HandlerThreads(Executor executor, @Nullable ExecutorService own) {
        this.executor = executor;
        this.own = own;
    }

    static HandlerThreads of(Executor executor) {
        return new HandlerThreads(executor, null);
    }

    static HandlerThreads own(String name) {
        ExecutorService own = Executors.newCachedThreadPool(Threads.daemons(name));
        return new HandlerThreads(own, own);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void close() {
        if (own != null) {
            own.shutdown();
        }
    }
}
