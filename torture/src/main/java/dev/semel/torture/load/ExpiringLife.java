package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.policy.Retention;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One life of a key that expires. The ledger refuses what comes later, because it may rightly run again. */
final class ExpiringLife implements Life {

    /** Between the end of a retention and the next request. */
    private static final Duration MARGIN = Duration.ofMillis(500);

    private final Key key;
    private final Times times;
    private final int number;
    private final @Nullable ExpiringLife beforeTombstone;
    private long begunAt;
    private long endsAt;
    private boolean begun;
    private boolean clear = true;
    private int underWay;
    private @Nullable Long settledBy;

    private ExpiringLife(Key key, Times times, int number, @Nullable ExpiringLife beforeTombstone) {
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
        return new ExpiringLife(key, times, 0, null);
    }

    @Override
    public boolean isTombstone() {
        return beforeTombstone != null;
    }

    @Override
    public synchronized boolean begin() {
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

    @Override
    public synchronized void end(boolean inTime) {
        underWay--;
        clear &= inTime;
    }

    @Override
    public synchronized boolean isOver() {
        return begun && System.nanoTime() - endsAt > 0;
    }

    @Override
    public boolean endsByDecision() {
        return false;
    }

    @Override
    public Key judged() {
        return number == 0 && !isTombstone()
                ? key
                : Key.of(key.scope(), key.value() + NUMBER + number + (isTombstone() ? TOMBSTONE : ""));
    }

    @Override
    public synchronized void settled() {
        if (settledBy == null) {
            settledBy = System.nanoTime();
        }
    }

    @Override
    public synchronized @Nullable Long untilNext() {
        ExpiringLife settled = beforeTombstone == null ? this : beforeTombstone;
        Long since = settled.settledBy;
        if (since == null || !clear) {
            return null;
        }
        long due = since + times.atMost + (isTombstone() ? times.tombstone : 0);
        long left = due - System.nanoTime();
        return underWay > 0 ? Math.max(left, MARGIN.toNanos()) : left;
    }

    @Override
    public Life next() {
        boolean buried = times.tombstone > 0 && !isTombstone();
        return new ExpiringLife(key, times, buried ? number : number + 1, buried ? this : null);
    }

    @Override
    public int number() {
        return number;
    }
}
