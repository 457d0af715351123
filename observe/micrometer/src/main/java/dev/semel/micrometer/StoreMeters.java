package dev.semel.micrometer;

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

/** The statistics of the store, over all nodes. Only the registry holds the reader. */
record StoreMeters(MeterRegistry registry, Tags tags, StoreReader reader, Projection projection) {

    void bind() {
        for (KeyState state : KeyState.values()) {
            gauge("keys", known -> known.keys().getOrDefault(state, 0L))
                    .description("Keys in the store, by state")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        age("p50", PendingAge::p50);
        age("p95", PendingAge::p95);
        age("p99", PendingAge::p99);
        age("max", PendingAge::max);
        time("purge.lag", "How long the oldest record is overdue for purge", StoreStatistics::purgeLag);
        gauge("store.rows", StoreMeters::rows)
                .description("Records in the store")
                .register(registry);
        gauge("store.size", known -> orNaN(known.bytes()))
                .baseUnit("bytes")
                .description("Size of the store")
                .register(registry);
        gauge("store.dead_rows", known -> orNaN(known.deadRows()))
                .description("Dead rows not yet reclaimed")
                .register(registry);
        Gauge.builder("idempotency.projected.rows", projection, Projection::records)
                .description("Records that this process will have in the store at the rate of the last hour")
                .tags(tags)
                .register(registry);
    }

    private void age(String name, Function<PendingAge, Duration> value) {
        time(
                "pending.age." + name,
                "How old the claims of keys without an outcome are, over all nodes",
                known -> value.apply(known.pendingAge()));
    }

    private void time(String name, String description, Function<StoreStatistics, Duration> value) {
        TimeGauge.builder(
                        "idempotency." + name,
                        reader,
                        TimeUnit.NANOSECONDS,
                        now -> now.read(known -> (double) value.apply(known).toNanos()))
                .strongReference(true)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Gauge.Builder<StoreReader> gauge(String name, ToDoubleFunction<StoreStatistics> value) {
        return Gauge.builder("idempotency." + name, reader, now -> now.read(value))
                .strongReference(true)
                .tags(tags);
    }

    private static double rows(StoreStatistics known) {
        return known.keys().values().stream().mapToLong(Long::longValue).sum();
    }

    private static double orNaN(long value) {
        return value < 0 ? Double.NaN : value;
    }
}
