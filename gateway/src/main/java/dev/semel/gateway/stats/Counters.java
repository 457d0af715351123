package dev.semel.gateway.stats;

import dev.semel.http.HttpEvent;
import dev.semel.http.HttpListener;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens, from the start of the process. */
public final class Counters implements SemelListener, HttpListener {

    /** What is counted; its name in JSON is the constant's in camel case. */
    public enum Count {
        REQUESTS,
        EXECUTED,
        REPLAYED,
        IN_FLIGHT,
        MISMATCH,
        UNKNOWN,
        EXPIRED,
        ABANDONED,
        LAPSED,
        TAKEN_OVER,
        FENCED,
        RELEASED,
        REFUSED,
        PASSED,
        UNPROTECTED,
        UPSTREAM_FAILURES,
        STORE_FAILURES;

        public String json() {
            String[] words = name().toLowerCase(Locale.ROOT).split("_");
            return words.length == 1
                    ? words[0]
                    : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
        }
    }

    private final LongAdder[] counts = new LongAdder[Count.values().length];
    private final AtomicLong running = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    public Counters() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    public void add(Count count) {
        counts[count.ordinal()].increment();
    }

    public long get(Count count) {
        return counts[count.ordinal()].sum();
    }

    public void connectionsChanged(int by) {
        connections.addAndGet(by);
    }

    public void began() {
        running.incrementAndGet();
    }

    public void ended() {
        running.decrementAndGet();
    }

    /** Protected requests that are at the upstream now. */
    public long running() {
        return running.get();
    }

    public long connections() {
        return connections.get();
    }

    @Override
    public void on(HttpEvent event) {
        if (event instanceof HttpEvent.Unprotected) {
            add(Count.UNPROTECTED);
        } else if (event instanceof HttpEvent.Refused) {
            add(Count.REFUSED);
        }
    }

    @Override
    public void on(SemelEvent event) {
        if (event instanceof SemelEvent.Settled) {
            add(Count.EXECUTED);
        } else if (event instanceof SemelEvent.Replayed) {
            add(Count.REPLAYED);
        } else if (event instanceof SemelEvent.InFlight) {
            add(Count.IN_FLIGHT);
        } else if (event instanceof SemelEvent.Mismatched) {
            add(Count.MISMATCH);
        } else if (event instanceof SemelEvent.Unknown) {
            add(Count.UNKNOWN);
        } else if (event instanceof SemelEvent.Expired) {
            add(Count.EXPIRED);
        } else if (event instanceof SemelEvent.Abandoned) {
            add(Count.ABANDONED);
        } else if (event instanceof SemelEvent.Lapsed) {
            add(Count.LAPSED);
        } else if (event instanceof SemelEvent.TakenOver) {
            add(Count.TAKEN_OVER);
        } else if (event instanceof SemelEvent.FencedOff) {
            add(Count.FENCED);
        } else if (event instanceof SemelEvent.Released) {
            add(Count.RELEASED);
        } else if (event instanceof SemelEvent.Unprotected) {
            add(Count.UNPROTECTED);
        } else if (event instanceof SemelEvent.SettleFailed || event instanceof SemelEvent.MaintenanceFailed) {
            add(Count.STORE_FAILURES);
        }
    }
}
