package dev.semel.engine.histories;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose tasks wait while it is slow, and that takes none while it is full. */
final class GatedExecutor implements Executor {

    static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "histories");
        thread.setDaemon(true);
        return thread;
    });

    private final Deque<Runnable> queue = new ArrayDeque<>();
    private boolean slow;
    private boolean full;

    @Override
    public synchronized void execute(Runnable task) {
        if (full) {
            throw new RejectedExecutionException("the executor is full");
        }
        if (slow) {
            queue.add(task);
        } else {
            THREADS.execute(task);
        }
    }

    synchronized void slowDown() {
        slow = true;
    }

    synchronized void fill() {
        full = true;
    }

    synchronized boolean isOpen() {
        return !slow && !full;
    }

    synchronized void open() {
        slow = false;
        full = false;
        queue.forEach(THREADS::execute);
        queue.clear();
    }
}
