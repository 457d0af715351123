package dev.semel.gateway.proxy;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/**
 * Ends connections and streams that stall for too long. One per event loop, and used on that loop only: a sweep over
 * all entries now and then costs less than a timer per request that is almost always cancelled.
 */
public final class IdleWatch {

    private static final long MIN_PERIOD_MILLIS = 20;
    private static final long MAX_PERIOD_MILLIS = 100;

    private final long limitNanos;
    private final Set<Entry> entries = new HashSet<>();

    public IdleWatch(Vertx vertx, Duration limit) {
        this.limitNanos = limit.toNanos();
        vertx.setPeriodic(period(limit), timer -> sweep());
    }

    /** How often to check, in milliseconds, so that nothing stalls for much longer than the limit. */
    static long period(Duration limit) {
        return Math.max(MIN_PERIOD_MILLIS, Math.min(MAX_PERIOD_MILLIS, limit.toMillis() / 10));
    }

    /** Runs the action unless the entry is touched or stopped in time. */
    Entry start(Runnable whenIdle) {
        return start(limitNanos, whenIdle);
    }

    /** Runs the action after this time, unless the entry is stopped first. */
    Entry deadline(Duration limit, Runnable whenOver) {
        return start(limit.toNanos(), whenOver);
    }

    private Entry start(long limit, Runnable action) {
        Entry entry = new Entry(limit, action);
        entries.add(entry);
        return entry;
    }

    private void sweep() {
        long now = System.nanoTime();
        for (Entry entry : new ArrayList<>(entries)) {
            if (now - entry.touchedAt > entry.limit && entries.remove(entry)) {
                entry.whenIdle.run();
            }
        }
    }

    /** Something that must keep moving. */
    final class Entry {

        private final long limit;
        private final Runnable whenIdle;
        private long touchedAt = System.nanoTime();

        private Entry(long limit, Runnable whenIdle) {
            this.limit = limit;
            this.whenIdle = whenIdle;
        }

        void touch() {
            touchedAt = System.nanoTime();
        }

        void stop() {
            entries.remove(this);
        }

        void restart() {
            touch();
            entries.add(this);
        }
    }
}
