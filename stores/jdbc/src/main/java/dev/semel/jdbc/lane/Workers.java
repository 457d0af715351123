package dev.semel.jdbc.lane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that work for the lanes of a store, as many as there are lanes with something to send.
 *
 * <p>The thread that was busy last is taken first. So at a low load the same thread sends claims and settles, over the
 * connection that it had before, and the server's side of it is warm too.
 */
final class Workers {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final int IDLE_SECONDS = 60;

    /** Tasks that arrive after the end are discarded: by then the lanes have failed all requests. */
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            this::start,
            new DiscardPolicy());

    private final AtomicInteger started = new AtomicInteger();

    private static final class Worker extends Thread {

        private boolean takesNext;
        private @Nullable Runnable next;

        Worker(Runnable work, String name) {
            super(work, name);
            setDaemon(true);
        }

        @Nullable
        Runnable next() {
            Runnable taken = next;
            next = null;
            return taken;
        }
    }

    private Thread start(Runnable work) {
        return new Worker(work, "semel-jdbc-lane-" + started.incrementAndGet());
    }

    /** Runs a lane: on this thread in a moment, if it is one that {@link #takesNext}, else on another. */
    void run(Runnable lane) {
        if (Thread.currentThread() instanceof Worker worker && worker.takesNext && worker.next == null) {
            worker.next = lane;
        } else {
            runElsewhere(lane);
        }
    }

    void runElsewhere(Runnable lane) {
        try {
            threads.execute(() -> {
                lane.run();
                for (Runnable next = next(); next != null; next = next()) {
                    next.run();
                }
            });
        } catch (OutOfMemoryError e) {
            LOG.error("no thread can be started for a lane; the watch over deadlines tries again", e);
        }
    }

    void runLater(long nanos, Runnable lane) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, this::runElsewhere)
                .execute(lane);
    }

    /** Whether this thread is about to be free, and takes over a lane that is woken now. */
    void takesNext(boolean takes) {
        if (Thread.currentThread() instanceof Worker worker) {
            worker.takesNext = takes;
        }
    }

    /** Passes the lane that this thread would have taken over to another thread. */
    void handOver() {
        Runnable next = next();
        if (next != null) {
            runElsewhere(next);
        }
    }

    private static @Nullable Runnable next() {
        return Thread.currentThread() instanceof Worker worker ? worker.next() : null;
    }

    void end() {
        threads.shutdown();
    }
}
