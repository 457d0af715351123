package dev.semel.client.sending;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Time, chance and threads, so that tests need none of them. */
public interface Timer {

    Timer SYSTEM = new SystemTimer();

    /** Makes the calling thread wait. */
    Timer SLEEPING = new SystemTimer() {
        @Override
        public CompletableFuture<Void> after(Duration delay) {
            try {
                Thread.sleep(delay.toMillis());
                return CompletableFuture.completedFuture(null);
            } catch (InterruptedException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    };

    long nanos();

    Instant now();

    /** A number from 0 to 1. */
    double random();

    CompletableFuture<Void> after(Duration delay);

    /** Runs the caller's code. */
    void execute(Runnable task);

    /** The time of this machine. */
    class SystemTimer implements Timer {

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public CompletableFuture<Void> after(Duration delay) {
            return CompletableFuture.runAsync(
                    () -> {},
                    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, CallerThreads.EXECUTOR));
        }

        @Override
        public void execute(Runnable task) {
            CallerThreads.EXECUTOR.execute(task);
        }
    }
}
