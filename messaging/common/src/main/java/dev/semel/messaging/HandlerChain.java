package dev.semel.messaging;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of messages that come one after the other. They share a thread as long as each message is ready when the handler of
 * the one before it ends: waking another thread for each would often take longer than the handler itself.
 */
public final class HandlerChain {

    /** After so many, the thread is given back to the executor, where others may be waiting for it. */
    private static final int LONGEST = 32;

    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    // Only the thread above comes to these two.
    private @Nullable Runnable next;
    private int length;

    /** A chain in which no handler runs yet. */
    public HandlerChain() {}

    /** Runs the task on the calling thread once that has done with the handler before it; otherwise, on the executor's. */
    void execute(Executor executor, Runnable task) {
        Thread caller = Thread.currentThread();
        if (thread.get() == caller && next == null && length < LONGEST && !caller.isInterrupted()) {
            next = task;
        } else {
            executor.execute(() -> run(task));
        }
    }

    private void run(Runnable first) {
        if (!thread.compareAndSet(null, Thread.currentThread())) {
            first.run();
            return;
        }
        try {
            length = 0;
            for (Runnable task = first; task != null; task = takeNext()) {
                task.run();
            }
        } finally {
            // Not left to the executor, which may be full: nothing else knows about this task.
            Runnable left = takeNext();
            thread.set(null);
            if (left != null) {
                left.run();
            }
        }
    }

    private @Nullable Runnable takeNext() {
        Runnable task = next;
        next = null;
        length++;
        return task;
    }
}
