package dev.semel.attack.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller that goes about its business: a hundred charges a second over four connections, each with a key of its own. It has
 * a pace, because one that sends as fast as it can would measure how the processors of this machine are shared.
 */
public final class PacedCaller {

    /** Its credential, which no attack uses. */
    public static final String CREDENTIAL = "Authorization: Bearer bob";

    private static final int CONNECTIONS = 4;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WARM_UP_MILLIS = 200;
    private static final double LEAST_PACE = 60;
    private static final AtomicInteger keys = new AtomicInteger();
    private static final String RUN = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private final Target target;
    private final Set<Wire> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger charged = new AtomicInteger();
    private final AtomicInteger serverErrors = new AtomicInteger();
    private final AtomicInteger otherFailures = new AtomicInteger();
    private volatile boolean stopped;

    /** What it got within a time. */
    public record Business(double perSecond, int serverErrors, int otherFailures) {

        /** The same pace, with what failed another time. */
        public Business withFailuresOf(Business other) {
            return new Business(perSecond, serverErrors + other.serverErrors, otherFailures + other.otherFailures);
        }
    }

    public PacedCaller(Target target) {
        this.target = target;
    }

    /** Begins, and returns when it has found its pace or {@link #START_NANOS} have passed. */
    public void start() throws InterruptedException {
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread thread = new Thread(this::work, "well-behaved caller");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        long end = System.nanoTime() + START_NANOS;
        while (measure(WARM_UP_MILLIS).perSecond() < LEAST_PACE && System.nanoTime() < end) {
            continue;
        }
    }

    /** How it goes within the next so many milliseconds. */
    public Business measure(long millis) throws InterruptedException {
        int before = charged.get();
        int errors = serverErrors.get();
        int failures = otherFailures.get();
        long start = System.nanoTime();
        Thread.sleep(millis);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Business(
                (charged.get() - before) / seconds, serverErrors.get() - errors, otherFailures.get() - failures);
    }

    private void work() {
        long next = System.nanoTime();
        while (!stopped) {
            try (Wire wire = target.connect()) {
                open.add(wire);
                Answer answer;
                do {
                    answer = charge(wire);
                    count(answer);
                    next = Math.max(next + PERIOD_NANOS, System.nanoTime());
                    LockSupport.parkNanos(next - System.nanoTime());
                } while (!stopped && answer.status() > 0);
                open.remove(wire);
            } catch (IOException e) {
                otherFailures.incrementAndGet();
                LockSupport.parkNanos(PERIOD_NANOS);
            }
        }
    }

    private void count(Answer answer) {
        if (answer.status() == 201) {
            charged.incrementAndGet();
        } else if (answer.isServerError()) {
            serverErrors.incrementAndGet();
        } else {
            otherFailures.incrementAndGet();
        }
    }

    private static Answer charge(Wire wire) throws IOException {
        return wire.send(request()).answer();
    }

    private static String request() {
        return "POST " + CountingUpstream.WELL + " HTTP/1.1\r\nHost: shop.example\r\n" + CREDENTIAL
                + "\r\nIdempotency-Key: well-" + RUN + "-" + keys.incrementAndGet()
                + "\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"amount\":100}";
    }

    /** Makes one charge on a connection of its own. */
    public static Answer chargeOnce(Target target) throws IOException {
        try (Wire wire = target.connect()) {
            return charge(wire);
        }
    }

    /** Ends, also what still waits for an answer. */
    public void stop() throws IOException, InterruptedException {
        stopped = true;
        for (Wire wire : open) {
            wire.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
