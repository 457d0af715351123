package dev.semel.micrometer;

import dev.semel.policy.Retention;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many records this process will have in the store at a time if it goes on as in the last hour: what it settles per
 * second, times how long that is kept.
 */
final class Projection {

    private static final long WINDOW = Duration.ofHours(1).toNanos();
    private static final int MAX_OPERATIONS = 200;

    private final Map<String, SettledKeys> operations = new ConcurrentHashMap<>();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final LongSupplier nanos;

    private static final class SettledKeys {

        private final LongAdder settled = new LongAdder();
        private volatile Duration retention = Duration.ZERO;
    }

    /** The sum of the retentions of all keys that were settled so far, in seconds. */
    private record Sample(long at, double keySeconds) {}

    Projection() {
        this(System::nanoTime);
    }

    Projection(LongSupplier nanos) {
        this.nanos = nanos;
        samples.add(new Sample(nanos.getAsLong(), 0));
    }

    void settled(String operation, Retention retention) {
        SettledKeys keys = operations.get(operation);
        if (keys == null) {
            if (operations.size() >= MAX_OPERATIONS) {
                return;
            }
            keys = operations.computeIfAbsent(operation, name -> new SettledKeys());
        }
        keys.settled.increment();
        if (!keys.retention.equals(retention.total())) {
            keys.retention = retention.total();
        }
    }

    /** The number of records. Each call takes a sample. */
    synchronized double records() {
        double keySeconds = operations.values().stream()
                .mapToDouble(keys -> (double) keys.settled.sum() * keys.retention.toSeconds())
                .sum();
        Sample now = new Sample(nanos.getAsLong(), keySeconds);
        samples.addLast(now);
        while (samples.size() > 2 && now.at - samples.getFirst().at > WINDOW) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        double seconds = (now.at - first.at) / 1e9;
        return seconds <= 0 ? 0 : Math.max(0, now.keySeconds - first.keySeconds) / seconds;
    }
}
