package dev.semel.micrometer;

import dev.semel.spi.Batching;
import dev.semel.spi.Batching.Batches;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToLongFunction;

/** How full the batches of a store are: calls divided by batches is their mean size. */
record BatchMeters(Batching store) {

    void bind(MeterRegistry registry, Tags tags) {
        for (String kind : store.batches().keySet()) {
            String name = "idempotency." + kind;
            Gauge.builder(name + ".queued", store, now -> of(now, kind, Batches::queued))
                    .description("Calls that wait to be sent to the store")
                    .tags(tags)
                    .register(registry);
            counter(name + ".batches", "Batches sent to the store", kind, Batches::batches)
                    .tags(tags)
                    .register(registry);
            counter(name + ".batched", "Calls sent to the store, in batches", kind, Batches::calls)
                    .tags(tags)
                    .register(registry);
        }
        FunctionCounter.builder("idempotency.lock_waits", store, now -> sum(now, Batches::lockWaits))
                .description("Batches that waited for a lock until the database gave up")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("idempotency.deadlocks", store, now -> sum(now, Batches::deadlocks))
                .description("Batches that the database chose to end a deadlock")
                .tags(tags)
                .register(registry);
    }

    private FunctionCounter.Builder<Batching> counter(
            String name, String description, String kind, ToLongFunction<Batches> value) {
        return FunctionCounter.builder(name, store, now -> of(now, kind, value)).description(description);
    }

    private static double of(Batching store, String kind, ToLongFunction<Batches> value) {
        Batches batches = store.batches().get(kind);
        return batches == null ? 0 : value.applyAsLong(batches);
    }

    private static double sum(Batching store, ToLongFunction<Batches> value) {
        return store.batches().values().stream().mapToLong(value).sum();
    }
}
