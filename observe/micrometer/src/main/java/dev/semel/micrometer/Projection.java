package dev.semel.micrometer;

import dev.semel.Retention;
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

    private final Map<String, Kept> operations = new ConcurrentHashMap<>();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final LongSupplier nanos;

    private static final class Kept {

        private final LongAdder settled = new LongAdder();
        private volatile Duration retention = Duration.ZERO;
    }

    /** What would have to be held at a time: seconds of retention, summed up over all that was settled so far. */
    private record Sample(long at, double keySeconds) {}

    Projection() {
        this(System::nanoTime);
    }

    Projection(LongSupplier nanos) {
        this.nanos = nanos;
        samples.add(new Sample(nanos.getAsLong(), 0));
    }

    void settled(String operation, Retention retention) {
        Kept kept = operations.get(operation);
        if (kept == null) {
            if (operations.size() >= MAX_OPERATIONS) {
                return;
            }
            kept = operations.computeIfAbsent(operation, name -> new Kept());
        }
        kept.settled.increment();
        if (!kept.retention.equals(retention.total())) {
            kept.retention = retention.total();
        }
    }

    /** The number of records. Each call takes a sample. */
    synchronized double records() {
        double keySeconds = operations.values().stream()
                .mapToDouble(kept -> (double) kept.settled.sum() * kept.retention.toSeconds())
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
