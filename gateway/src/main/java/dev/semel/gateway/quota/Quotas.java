package dev.semel.gateway.quota;

import dev.semel.Namespace;
import dev.semel.gateway.config.CallerLimits;
import dev.semel.http.Scopes;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The use of this gateway by every caller. It remembers the callers that have requests in flight, and the most recent
 * of the others: the table does not grow, however many callers are invented. A forgotten caller starts from zero.
 */
public final class Quotas {

    /** How many callers without a request in flight are remembered. */
    public static final int REMEMBERED = 10_000;

    /** How often the store is asked for unknown keys. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final long LONGEST_RETRY_AFTER = Duration.ofHours(1).toSeconds();

    private static final Comparator<CallerUse> BY_USE = Comparator.comparingDouble(CallerUse::share)
            .thenComparingLong(CallerUse::inFlight)
            .thenComparingLong(CallerUse::refused)
            .thenComparingLong(CallerUse::requests)
            .reversed()
            .thenComparing(CallerUse::caller);

    private final CallerLimits limits;
    private final int loops;
    private final long slotNanos;
    private final LongSupplier nanos;
    private final long origin;
    private final Map<String, Caller> active = new HashMap<>();
    private final LinkedHashMap<String, Caller> idle = new LinkedHashMap<>();
    private final UnknownKeys unknown = new UnknownKeys();
    private final AtomicInteger nextLoop = new AtomicInteger();
    private final AtomicLongArray refusals = new AtomicLongArray(Limit.values().length);

    /**
     * @param loops how many event loops there are
     * @param retention the longest time that a response is kept
     */
    public Quotas(CallerLimits limits, int loops, Duration retention) {
        this(limits, loops, retention, System::nanoTime);
    }

    Quotas(CallerLimits limits, int loops, Duration retention, LongSupplier nanos) {
        this.limits = limits;
        this.loops = loops;
        this.slotNanos = Math.max(1, retention.toNanos() / KeptKeys.SLOTS);
        this.nanos = nanos;
        this.origin = nanos.getAsLong();
    }

    private long now() {
        return nanos.getAsLong() - origin;
    }

    /** The quotas for one event loop; to be asked for once by each. */
    public LoopQuotas ofNextLoop() {
        return new LoopQuotas(this, Math.floorMod(nextLoop.getAndIncrement(), loops));
    }

    synchronized QuotaDecision enter(@Nullable String scope, int loop, long announced) {
        QuotaDecision entry = look(scope, loop);
        if (entry instanceof QuotaUse use) {
            long now = now();
            Limit over = overOther(use.caller(), announced, now);
            if (over != null) {
                use.close();
                return refuse(use.caller(), over, now);
            }
        }
        return entry;
    }

    synchronized QuotaDecision look(@Nullable String scope, int loop) {
        long now = now();
        Caller caller = scope == null ? new Caller("", CallerLimits.NONE, loops, now) : find(Scopes.fit(scope), now);
        Limit over = caller.enter(loop, now);
        if (over != null) {
            left(caller);
            return refuse(caller, over, now);
        }
        return new QuotaUse(this, caller, loop);
    }

    private QuotaDecision refuse(Caller caller, Limit over, long now) {
        refused(caller, over);
        return new QuotaDecision.Over(over, retryAfter(caller, over, now));
    }

    private Caller find(String name, long now) {
        Caller caller = active.get(name);
        if (caller == null) {
            caller = idle.remove(name);
            if (caller == null) {
                caller = new Caller(name, limits, loops, now);
            }
            active.put(name, caller);
        }
        return caller;
    }

    private @Nullable Limit overOther(Caller caller, long announced, long now) {
        if (!caller.mayBuffer(announced)) {
            return Limit.BUFFERED;
        }
        KeptKeys kept = caller.kept;
        if (kept != null && limits.keys() > 0 && kept.keys(now) >= limits.keys()) {
            return Limit.KEYS;
        }
        if (kept != null && limits.bytes() > 0 && kept.bytes(now) >= limits.bytes()) {
            return Limit.BYTES;
        }
        return limits.unknown() > 0 && unknown.of(caller.name) >= limits.unknown() ? Limit.UNKNOWN : null;
    }

    private static long retryAfter(Caller caller, Limit over, long now) {
        return switch (over) {
            case RATE -> caller.secondsToNextRequest();
            case IN_FLIGHT, BUFFERED -> 1;
            case KEYS, BYTES -> {
                KeptKeys kept = caller.kept;
                long wait = kept == null ? 0 : TimeUnit.NANOSECONDS.toSeconds(kept.untilNext(now));
                yield Math.min(LONGEST_RETRY_AFTER, wait + 1);
            }
            case UNKNOWN -> INTERVAL.toSeconds();
        };
    }

    /** Notes that a request of the caller has ended; under the lock. */
    void left(Caller caller) {
        if (caller.inFlight > 0 || !active.remove(caller.name, caller)) {
            return;
        }
        idle.put(caller.name, caller);
        if (idle.size() > REMEMBERED) {
            idle.remove(idle.keySet().iterator().next());
        }
    }

    void refused(Caller caller, Limit limit) {
        caller.refused++;
        refusals.incrementAndGet(limit.ordinal());
    }

    void kept(Caller caller, long bytes, Duration retention) {
        KeptKeys kept = caller.kept;
        if (kept == null) {
            kept = new KeptKeys(slotNanos, now());
            caller.kept = kept;
        }
        kept.add(bytes, now(), retention.toNanos());
    }

    UnknownKeys unknown() {
        return unknown;
    }

    /**
     * Reads the unknown keys from the store, if it has any; the stage never fails.
     *
     * @param known the latest statistics of the store
     */
    public CompletionStage<Void> askForUnknown(Inspecting store, Namespace namespace, @Nullable StoreStatistics known) {
        if (known != null && known.keys().getOrDefault(KeyState.UNKNOWN, 0L) == 0) {
            unknown.noneStored();
            return CompletableFuture.completedStage(null);
        }
        return unknown.walk(store, namespace);
    }

    /** How many keys of an operation have an unknown outcome, as of the last look into the store. */
    public long unknownOf(String operation) {
        return unknown.ofOperation(operation);
    }

    /** How many requests were over the limit since the start. */
    public long refusals(Limit limit) {
        return refusals.get(limit.ordinal());
    }

    /** How many callers are remembered. */
    public synchronized int size() {
        return active.size() + idle.size();
    }

    /** The callers that take most of their limits, those that take most first. */
    public List<CallerUse> top(int most) {
        List<CallerUse> all;
        synchronized (this) {
            long now = now();
            all = Stream.concat(active.values().stream(), idle.values().stream())
                    .map(caller -> use(caller, now))
                    .toList();
        }
        return all.stream().sorted(BY_USE).limit(most).toList();
    }

    private CallerUse use(Caller caller, long now) {
        KeptKeys kept = caller.kept;
        long keys = kept == null ? 0 : kept.keys(now);
        long bytes = kept == null ? 0 : kept.bytes(now);
        long open = unknown.of(caller.name);
        return new CallerUse(
                caller.name,
                caller.inFlight,
                caller.buffered,
                caller.requests,
                caller.refused,
                keys,
                bytes,
                open,
                caller.share(now, keys, bytes, open));
    }
}
