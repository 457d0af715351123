package dev.semel.http.replay;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How long operations take on this node, so that a duplicate can be told when to come back. */
public final class ObservedDurations {

    private static final int WEIGHT_OF_PAST = 7;

    private final Map<String, Duration> typical = new ConcurrentHashMap<>();

    /** Counts a run; the more recent ones weigh more. */
    public void observe(String operation, Duration ran) {
        typical.merge(
                operation,
                ran,
                (past, now) -> past.multipliedBy(WEIGHT_OF_PAST).plus(now).dividedBy(WEIGHT_OF_PAST + 1));
    }

    /**
     * In how many seconds the outcome can be expected, at least 1: the rest of a typical run, or, where that has passed
     * or is not known, as long again as the run has taken so far. Never later than the lease ends, because by then it
     * is known whether the owner lives.
     */
    public long retryAfter(String operation, Duration age, Duration leaseLeft) {
        @Nullable Duration expected = typical.get(operation);
        Duration left = expected != null && expected.compareTo(age) > 0 ? expected.minus(age) : age;
        Duration wait = left.compareTo(leaseLeft) < 0 ? left : leaseLeft;
        return Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds());
    }
}
