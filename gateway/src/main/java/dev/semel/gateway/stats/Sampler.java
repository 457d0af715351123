package dev.semel.gateway.stats;

import dev.semel.gateway.stats.Counters.Count;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a sample of the counters and of the store's statistics now and then, and remembers the last hour. */
public final class Sampler {

    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Sampler.class);
    private static final int KEPT = (int) (Duration.ofHours(1).toSeconds() / INTERVAL.toSeconds());

    /** The store is asked less often than counters are read: counting rows costs it something. */
    private static final int STORE_EVERY = 2;

    private final Counters counters;
    private final @Nullable Inspecting store;
    private final Duration retention;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private long[] before;
    private long ticks;
    private volatile @Nullable StoreStatistics statistics;
    private volatile boolean silent;

    /** Projects with this retention how large the store will grow. */
    public Sampler(Counters counters, KeyStore store, Duration retention) {
        this.counters = counters;
        this.store = KeyStore.capability(store, Inspecting.class).orElse(null);
        this.retention = retention;
        this.before = read();
    }

    /** To be called once per interval, by one thread at a time. */
    public void tick(Instant now) {
        if (ticks++ % STORE_EVERY == 0) {
            askStore();
        }
        long[] current = read();
        long[] delta = new long[current.length];
        Arrays.setAll(delta, i -> current[i] - before[i]);
        before = current;
        synchronized (samples) {
            Projection projection = projection();
            samples.addLast(new Sample(
                    now, delta, counters.running(), statistics, projection == null ? null : projection.bytes()));
            if (samples.size() > KEPT) {
                samples.removeFirst();
            }
        }
    }

    private long[] read() {
        return Arrays.stream(Count.values()).mapToLong(counters::get).toArray();
    }

    private void askStore() {
        if (store == null) {
            return;
        }
        store.statistics().whenComplete((answer, failure) -> {
            if (failure == null) {
                statistics = answer;
                silent = false;
            } else if (!silent) {
                // Once: that the store is down has its own line, and this is asked again every ten seconds.
                silent = true;
                log.info("the store does not tell its statistics: {}", String.valueOf(failure.getMessage()));
                log.debug("the cause of the line before", failure);
            }
        });
    }

    /** The latest statistics of the store. */
    public @Nullable StoreStatistics statistics() {
        return statistics;
    }

    /** The samples, oldest first. */
    public List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    /** The projected size of the store at the rate of the last hour; {@code null} if it is unknown. */
    public @Nullable Projection projection() {
        StoreStatistics known = statistics;
        synchronized (samples) {
            long held = known == null
                    ? 0
                    : known.keys().values().stream().mapToLong(Long::longValue).sum();
            if (known == null || held == 0 || samples.isEmpty()) {
                return null;
            }
            long executed = samples.stream()
                    .mapToLong(sample -> sample.count(Count.EXECUTED))
                    .sum();
            double perSecond = (double) executed / (samples.size() * INTERVAL.toSeconds());
            long keys = Math.round(perSecond * retention.toSeconds());
            return new Projection(keys, known.bytes() < 0 ? null : Math.round(keys * ((double) known.bytes() / held)));
        }
    }

    /** A number of keys and, where the store knows its size, of bytes. */
    public record Projection(long keys, @Nullable Long bytes) {}

    /** The counts of one interval, and the gauges at the end of it. */
    public record Sample(
            Instant at,
            long[] counts,
            long running,
            @Nullable StoreStatistics store,
            @Nullable Long projectedBytes) {

        public long count(Count count) {
            return counts[count.ordinal()];
        }
    }
}
