package dev.semel.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Drives operations for some time and measures them. The first failure of any operation fails the measurement. */
public final class LoadDriver {

    private LoadDriver() {}

    /** An operation that occupies its thread. */
    @FunctionalInterface
    public interface Blocking {
        void run() throws Exception;
    }

    /** An operation that does not. */
    @FunctionalInterface
    public interface Async {
        CompletionStage<?> run();
    }

    /** Each of some threads runs one operation after the other. */
    public static Sample threads(int threads, Duration time, Blocking operation) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            long deadline = System.nanoTime() + time.toNanos();
            List<Future<Recorder>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(executor.submit(() -> {
                    Recorder recorder = new Recorder();
                    long now = System.nanoTime();
                    while (now - deadline < 0) {
                        long started = now;
                        operation.run();
                        now = System.nanoTime();
                        recorder.add(started, now, deadline);
                    }
                    return recorder;
                }));
            }
            return collect(futures, time);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Sample collect(List<Future<Recorder>> futures, Duration time) throws Exception {
        List<Recorder> recorders = new ArrayList<>();
        for (Future<Recorder> future : futures) {
            recorders.add(future.get());
        }
        return Recorder.merge(recorders, time.toNanos() / 1e9);
    }

    /** Keeps some operations in flight: when one ends, the next one starts. */
    public static Sample inFlight(int count, Duration time, Async operation) throws Exception {
        long deadline = System.nanoTime() + time.toNanos();
        List<Future<Recorder>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Chain chain = new Chain(operation, deadline);
            chain.next();
            futures.add(chain.done);
        }
        return collect(futures, time);
    }

    /** One operation after the other, without a thread. */
    private static final class Chain {

        private final Async operation;
        private final long deadline;
        private final Recorder recorder = new Recorder();
        final CompletableFuture<Recorder> done = new CompletableFuture<>();

        Chain(Async operation, long deadline) {
            this.operation = operation;
            this.deadline = deadline;
        }

        void next() {
            long started = System.nanoTime();
            if (started - deadline >= 0) {
                done.complete(recorder);
                return;
            }
            operation.run().whenComplete((result, failure) -> {
                if (failure != null) {
                    done.completeExceptionally(failure);
                    return;
                }
                recorder.add(started, System.nanoTime(), deadline);
                next();
            });
        }
    }

    /**
     * Starts operations at a fixed rate, whatever happens to those before. Latency counts from when an operation was due,
     * so that a stall is charged to all that had to wait for it.
     */
    public static Sample openLoop(double perSecond, Duration time, Async operation) throws Exception {
        int count = (int) Math.floor(perSecond * time.toNanos() / 1e9);
        long[] nanos = new long[count];
        CountDownLatch open = new CountDownLatch(count);
        CompletableFuture<Void> failed = new CompletableFuture<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = start + (long) (i * 1e9 / perSecond);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int index = i;
            operation.run().whenComplete((result, failure) -> {
                nanos[index] = System.nanoTime() - due;
                if (failure != null) {
                    failed.completeExceptionally(failure);
                }
                open.countDown();
            });
        }
        open.await();
        if (failed.isCompletedExceptionally()) {
            failed.get();
        }
        return Sample.of(count, time.toNanos() / 1e9, nanos);
    }
}
