package dev.semel.testkit.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets a number of threads do the same thing at the same moment. */
public final class RaceTester {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private RaceTester() {}

    /** The work of one racer. */
    @FunctionalInterface
    public interface Racer<T> {

        /** Runs racer number {@code index}, counted from 0. */
        T run(int index) throws Exception;
    }

    /**
     * Starts one platform thread per racer, releases them all at once when the last one is ready, and returns their
     * results in the order of their numbers. Throws an {@link AssertionError} if a racer throws, or does not end
     * within a minute; no racer is left running.
     */
    public static <T> List<T> race(int racers, Racer<? extends T> racer) {
        CountDownLatch ready = new CountDownLatch(racers);
        CountDownLatch start = new CountDownLatch(1);
        List<FutureTask<T>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < racers; i++) {
            int index = i;
            FutureTask<T> task = new FutureTask<>(() -> {
                ready.countDown();
                start.await();
                return racer.run(index);
            });
            tasks.add(task);
            threads.add(new Thread(task, "racer-" + index));
        }
        try {
            threads.forEach(Thread::start);
            ready.await();
            start.countDown();
            return results(tasks, threads);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the racers", e);
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private static <T> List<T> results(List<FutureTask<T>> tasks, List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        List<T> results = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            try {
                results.add(tasks.get(i).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (ExecutionException e) {
                throw new AssertionError("racer " + i + " failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                throw new AssertionError(
                        "racer " + i + " did not end within " + LIMIT + "; it is at "
                                + Arrays.toString(threads.get(i).getStackTrace()),
                        e);
            }
        }
        return results;
    }
}
