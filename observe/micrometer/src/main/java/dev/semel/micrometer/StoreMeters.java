package dev.semel.micrometer;

import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What the store says of itself, over all nodes. The registry is the only one that holds what reads it. */
final class StoreMeters {

    private final StoreReader reader;
    private final Projection projection;

    StoreMeters(Inspecting store, Projection projection) {
        this.reader = new StoreReader(store);
        this.projection = projection;
    }

    void bind(MeterRegistry registry, Tags tags) {
        for (KeyState state : KeyState.values()) {
            Gauge.builder(
                            "idempotency.keys",
                            reader,
                            now -> now.read(known -> known.keys().getOrDefault(state, 0L)))
                    .strongReference(true)
                    .description("Keys in the store, by what became of their operation")
                    .tags(tags.and("outcome", state.name().toLowerCase(Locale.ROOT)))
                    .register(registry);
        }
        age("p50", PendingAge::p50).tags(tags).register(registry);
        age("p95", PendingAge::p95).tags(tags).register(registry);
        age("p99", PendingAge::p99).tags(tags).register(registry);
        age("max", PendingAge::max).tags(tags).register(registry);
        duration("idempotency.purge.lag", "How long the oldest record is overdue for purge", StoreStatistics::purgeLag)
                .tags(tags)
                .register(registry);
        gauge("idempotency.store.rows", "Records in the store", StoreMeters::rows)
                .tags(tags)
                .register(registry);
        gauge("idempotency.store.size", "Size of the store", known -> orNaN(known.bytes()))
                .baseUnit("bytes")
                .tags(tags)
                .register(registry);
        gauge("idempotency.store.dead_rows", "Dead rows not yet reclaimed", known -> orNaN(known.deadRows()))
                .tags(tags)
                .register(registry);
        Gauge.builder("idempotency.projected.rows", projection, Projection::records)
                .description("Records that this process will have in the store if it goes on as in the last hour")
                .tags(tags)
                .register(registry);
        Gauge.builder("idempotency.store.up", reader, StoreReader::answers)
                .strongReference(true)
                .description("1 if the store answered when it was last asked for its statistics, 0 if not")
                .tags(tags)
                .register(registry);
    }

    private TimeGauge.Builder<StoreReader> age(String name, Function<PendingAge, Duration> value) {
        return duration(
                "idempotency.pending.age." + name,
                "How old the claims of keys without an outcome are, over all nodes",
                known -> value.apply(known.pendingAge()));
    }

    private TimeGauge.Builder<StoreReader> duration(
            String name, String description, Function<StoreStatistics, Duration> value) {
        return TimeGauge.builder(
                        name,
                        reader,
                        TimeUnit.NANOSECONDS,
                        now -> now.read(known -> (double) value.apply(known).toNanos()))
                .strongReference(true)
                .description(description);
    }

    private Gauge.Builder<StoreReader> gauge(String name, String description, ToDoubleFunction<StoreStatistics> value) {
        return Gauge.builder(name, reader, now -> now.read(value))
                .strongReference(true)
                .description(description);
    }

    private static double rows(StoreStatistics known) {
        return known.keys().values().stream().mapToLong(Long::longValue).sum();
    }

    private static double orNaN(long value) {
        return value < 0 ? Double.NaN : value;
    }
}
