package dev.semel.micrometer;

import dev.semel.Semel;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;

/** Gauges of the running and waiting calls of this process's engine. */
record EngineMeters(Semel semel) {

    void bind(MeterRegistry registry, Tags tags) {
        Gauge.builder("idempotency.running", semel, engine -> engine.activity().running())
                .description("Attempts that this process runs")
                .tags(tags)
                .register(registry);
        TimeGauge.builder(
                        "idempotency.running.age.max",
                        semel,
                        TimeUnit.NANOSECONDS,
                        engine -> engine.activity().longest().toNanos())
                .description("For how long the oldest attempt of this process has been running")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "idempotency.store.up",
                        semel,
                        engine -> engine.storeHealth().isUp() ? 1 : 0)
                .description("1 if the store answers, 0 if it does not and claims are refused")
                .tags(tags)
                .register(registry);
        Gauge.builder("idempotency.waiting", semel, engine -> engine.activity().waiting())
                .description("Duplicates that wait for an outcome")
                .tags(tags)
                .register(registry);
    }
}
