package dev.semel.http.replay;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How long operations take on this node, for the {@code Retry-After} of duplicates. */
public final class ObservedDurations {

    private static final int WEIGHT_OF_PAST = 7;

    /** The typical run of each operation, in nanoseconds. */
    private final Map<String, AtomicLong> typical = new ConcurrentHashMap<>();

    /** Counts a run; the more recent ones weigh more. Of two that end at the same moment one may not count. */
    public void observe(String operation, Duration ran) {
        long nanos = ran.toNanos();
        AtomicLong past = typical.get(operation);
        if (past == null) {
            typical.putIfAbsent(operation, new AtomicLong(nanos));
        } else {
            past.set((past.get() * WEIGHT_OF_PAST + nanos) / (WEIGHT_OF_PAST + 1));
        }
    }

    /**
     * The expected number of seconds until the outcome, at least 1: the rest of a typical run or, if that has passed or
     * is unknown, as long as the run has taken so far. Never later than the lease ends, because by then it is known
     * whether the owner lives.
     */
    public long retryAfter(String operation, Duration age, Duration leaseLeft) {
        AtomicLong known = typical.get(operation);
        Duration expected = known == null ? null : Duration.ofNanos(known.get());
        Duration left = expected != null && expected.compareTo(age) > 0 ? expected.minus(age) : age;
        Duration wait = left.compareTo(leaseLeft) < 0 ? left : leaseLeft;
        return Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds());
    }
}
