package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One life of a key that is forgotten: for as long as it is certainly remembered, or certainly has its tombstone. A client that
 * knows the retention sends nothing else. The ledger refuses what comes later, because it may rightly run again.
 */
final class Life {

    private static final String TOMBSTONE = "-tombstone";

    /** Between the end of a retention and the next request. */
    private static final Duration MARGIN = Duration.ofMillis(500);

    private final Key key;
    private final Times times;
    private final int number;
    private final @Nullable Life beforeTombstone;
    private long begunAt;
    private long endsAt;
    private boolean begun;
    private boolean clear = true;
    private int underWay;
    private @Nullable Long settledBy;

    private Life(Key key, Times times, int number, @Nullable Life beforeTombstone) {
        this.key = key;
        this.times = times;
        this.number = number;
        this.beforeTombstone = beforeTombstone;
    }

    /**
     * How long keys are remembered.
     *
     * @param atLeast how long after its first request a key is not forgotten
     * @param atMost how long after its outcome was known it may still be remembered
     */
    record Times(Ledger ledger, long atLeast, long atMost, long tombstone) {

        static Times of(TorturePlan plan, Operation operation, Ledger ledger) {
            Retention retention = operation.retention(plan.lease(), 1);
            Duration longest = operation
                    .retention(plan.lease(), plan.faults().contains(FaultKind.UPGRADE) ? 2 : 1)
                    .active();
            Duration skew = plan.store().clockSkew();
            return new Times(
                    ledger,
                    retention.active().minus(skew).toNanos(),
                    longest.plus(skew).plus(MARGIN).toNanos(),
                    retention.tombstone().toNanos());
        }
    }

    static Life first(Key key, Times times) {
        return new Life(key, times, 0, null);
    }

    /** Whether the key belongs to a life in which nothing may run. */
    static boolean isTombstone(Key key) {
        return key.value().endsWith(TOMBSTONE);
    }

    boolean isTombstone() {
        return beforeTombstone != null;
    }

    /** Begins a request of this life; {@code false} if it is too late for one. */
    synchronized boolean begin() {
        long now = System.nanoTime();
        if (!begun) {
            begun = true;
            begunAt = now;
            endsAt = (beforeTombstone == null ? now : beforeTombstone.begunAt + times.tombstone) + times.atLeast;
            times.ledger.beginLife(key, endsAt);
        }
        if (now - endsAt > 0) {
            return false;
        }
        underWay++;
        return true;
    }

    /**
     * Ends a request.
     *
     * @param inTime whether it had an answer within this life that was not a failure: after any other, something of it may still
     *     come, or it may have claimed the key again
     */
    synchronized void end(boolean inTime) {
        underWay--;
        clear &= inTime;
    }

    synchronized boolean isOver() {
        return begun && System.nanoTime() - endsAt > 0;
    }

    /** The key under which this life is judged. */
    Key judged() {
        return number == 0 && !isTombstone()
                ? key
                : Key.of(key.scope(), key.value() + "#" + number + (isTombstone() ? TOMBSTONE : ""));
    }

    /** A client has been given the outcome. */
    synchronized void settled() {
        if (settledBy == null) {
            settledBy = System.nanoTime();
        }
    }

    /** How many nanoseconds there are until the next life can begin; {@code null} if none can. */
    synchronized @Nullable Long untilNext() {
        Life settled = beforeTombstone == null ? this : beforeTombstone;
        Long since = settled.settledBy;
        if (since == null || !clear) {
            return null;
        }
        long due = since + times.atMost + (isTombstone() ? times.tombstone : 0);
        long left = due - System.nanoTime();
        return underWay > 0 ? Math.max(left, MARGIN.toNanos()) : left;
    }

    Life next() {
        boolean buried = times.tombstone > 0 && !isTombstone();
        return new Life(key, times, buried ? number : number + 1, buried ? this : null);
    }

    int number() {
        return number;
    }
}
