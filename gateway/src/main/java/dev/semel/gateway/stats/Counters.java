package dev.semel.gateway.stats;

import dev.semel.http.HttpEvent;
import dev.semel.http.HttpListener;
import dev.semel.http.problem.ProblemType;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.SemelListener;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts events since the start of the process. */
public final class Counters implements SemelListener, HttpListener {

    /** The counters; the name in JSON is that of the constant in camel case. */
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
        STORE_FAILURES,
        /** Answered with 503: the store did not answer. This and what follows are the reasons of {@link #FAILURES}. */
        STORE_UNAVAILABLE,
        /** Answered with 503: no connection to the upstream was free, or too many requests waited for one. */
        UPSTREAM_BUSY,
        /** Answered with 502: no connection to the upstream could be made. */
        UPSTREAM_UNREACHABLE,
        /** Answered with 502: the upstream broke off. */
        UPSTREAM_INTERRUPTED,
        /** Answered with 504: the upstream did not answer in time. */
        UPSTREAM_SILENT,
        /** Answered with 503: the memory for bodies was taken. */
        NO_ROOM,
        /** Answered with 503: as many streams were open as may be. */
        STREAMS_FULL,
        /** Answered with 503 for another reason, and not executed. */
        NOT_EXECUTED;

        /** Why the gateway answered with 502, 503 or 504. */
        public static final Set<Count> FAILURES = EnumSet.range(STORE_UNAVAILABLE, NOT_EXECUTED);

        public String json() {
            String[] words = name().toLowerCase(Locale.ROOT).split("_");
            return words.length == 1
                    ? words[0]
                    : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
        }
    }

    private static final Map<Class<? extends SemelEvent>, Count> EVENTS = Map.ofEntries(
            Map.entry(SemelEvent.Settled.class, Count.EXECUTED),
            Map.entry(SemelEvent.Replayed.class, Count.REPLAYED),
            Map.entry(SemelEvent.InFlight.class, Count.IN_FLIGHT),
            Map.entry(SemelEvent.Mismatched.class, Count.MISMATCH),
            Map.entry(SemelEvent.Unknown.class, Count.UNKNOWN),
            Map.entry(SemelEvent.Expired.class, Count.EXPIRED),
            Map.entry(SemelEvent.Abandoned.class, Count.ABANDONED),
            Map.entry(SemelEvent.Lapsed.class, Count.LAPSED),
            Map.entry(SemelEvent.TakenOver.class, Count.TAKEN_OVER),
            Map.entry(SemelEvent.FencedOff.class, Count.FENCED),
            Map.entry(SemelEvent.Released.class, Count.RELEASED),
            Map.entry(SemelEvent.Unprotected.class, Count.UNPROTECTED),
            Map.entry(SemelEvent.SettleFailed.class, Count.STORE_FAILURES),
            Map.entry(SemelEvent.MaintenanceFailed.class, Count.STORE_FAILURES));

    private final LongAdder[] counts = new LongAdder[Count.values().length];
    private final AtomicLong running = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    public Counters() {
        Arrays.setAll(counts, i -> new LongAdder());
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
        } else if (event instanceof HttpEvent.Failed failed) {
            add(failed.problem() == ProblemType.STORE_UNAVAILABLE ? Count.STORE_UNAVAILABLE : Count.NOT_EXECUTED);
        }
    }

    @Override
    public void on(SemelEvent event) {
        Count count = EVENTS.get(event.getClass());
        if (count != null) {
            add(count);
        }
    }
}
