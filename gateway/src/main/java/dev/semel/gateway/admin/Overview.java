package dev.semel.gateway.admin;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.quota.Quotas;
import dev.semel.gateway.stats.Counters;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.gateway.stats.Health;
import dev.semel.gateway.stats.Sampler;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The overview: the current state, and the last hour. */
public record Overview(
        String version,
        GatewayConfig config,
        String storeName,
        KeyStore store,
        Counters counters,
        Sampler sampler,
        LongSupplier buffered,
        Quotas quotas,
        IntSupplier misbehaving,
        BooleanSupplier draining,
        Health health,
        Instant startedAt) {

    /** The values without a history. */
    private static final EnumSet<Count> NOT_IN_SERIES =
            EnumSet.of(Count.EXPIRED, Count.ABANDONED, Count.TAKEN_OVER, Count.RELEASED);

    @Nullable
    Inspecting records() {
        return KeyStore.capability(store, Inspecting.class).orElse(null);
    }

    /** {@code ok}, or why requests are not to be sent here. */
    String readiness() {
        if (draining.getAsBoolean()) {
            return "draining";
        }
        return health.isStoreUp() ? "ok" : "store-unavailable";
    }

    JsonObject json() {
        JsonObject counts = new JsonObject();
        for (Count count : Count.values()) {
            counts.put(count.json(), counters.get(count));
        }
        JsonObject json = new JsonObject()
                .put("version", version)
                .put("at", KeyJson.time(Instant.now()))
                .put("startedAt", KeyJson.time(startedAt))
                .put("upstream", config.upstream().url().toString())
                .put("store", storeName)
                .put("draining", draining.getAsBoolean())
                .put("health", healthJson())
                .put("operations", operations())
                .put("counters", counts)
                .put("misbehavingClients", misbehaving.getAsInt())
                .put("callers", CallersJson.of(quotas, config.callerLimits()))
                .put(
                        "gauges",
                        new JsonObject()
                                .put("running", counters.running())
                                .put("connections", counters.connections())
                                .put("bufferedBytes", buffered.getAsLong()));
        addStore(json, sampler.statistics());
        Sampler.Projection projection = sampler.projection();
        return json.put(
                        "projection",
                        projection == null
                                ? null
                                : new JsonObject()
                                        .put("keys", projection.keys())
                                        .put("bytes", projection.bytes()))
                .put("series", series(sampler.samples()));
    }

    /** The current problems; never asks the store. */
    JsonObject healthJson() {
        JsonArray problems = new JsonArray();
        for (Health.Problem problem : health.problems()) {
            problems.add(new JsonObject()
                    .put("part", problem.part())
                    .put("what", problem.what())
                    .put("since", KeyJson.time(problem.since()))
                    .put("cause", problem.cause())
                    .put("meaning", problem.meaning()));
        }
        return new JsonObject()
                .put("status", problems.isEmpty() ? "ok" : "failing")
                .put("node", config.node())
                .put("at", KeyJson.time(Instant.now()))
                .put("problems", problems);
    }

    private JsonArray operations() {
        JsonArray operations = new JsonArray();
        for (Route route : config.routes()) {
            if (route.rules() != null) {
                var policy = route.rules().policy();
                operations.add(new JsonObject()
                        .put("operation", route.operation())
                        .put("path", route.path().toString())
                        .put("recovery", KeyJson.name(policy.recovery()))
                        .put("leaseMillis", policy.lease().toMillis())
                        .put("retentionMillis", policy.retention().active().toMillis()));
            }
        }
        return operations;
    }

    private static void addStore(JsonObject json, @Nullable StoreStatistics known) {
        if (known == null) {
            for (String name : List.of("keys", "keysExact", "keysAt", "pendingAge", "purgeLag", "bytes")) {
                json.putNull(name);
            }
            return;
        }
        JsonObject keys = new JsonObject();
        for (KeyState state : KeyState.values()) {
            keys.put(KeyJson.name(state), known.keys().getOrDefault(state, 0L));
        }
        PendingAge age = known.pendingAge();
        json.put("keys", keys)
                .put("keysExact", known.exact())
                .put("keysAt", KeyJson.time(known.at()))
                .put(
                        "pendingAge",
                        new JsonObject()
                                .put("p50", age.p50().toMillis())
                                .put("p95", age.p95().toMillis())
                                .put("p99", age.p99().toMillis())
                                .put("max", age.max().toMillis()))
                .put("purgeLag", known.purgeLag().toMillis())
                .put("bytes", known.bytes() < 0 ? null : known.bytes());
    }

    private static JsonObject series(List<Sampler.Sample> samples) {
        JsonObject series = new JsonObject()
                .put("intervalMillis", Sampler.INTERVAL.toMillis())
                .put("at", column(samples, sample -> KeyJson.time(sample.at())));
        for (Count count : EnumSet.complementOf(NOT_IN_SERIES)) {
            series.put(count.json(), column(samples, sample -> sample.count(count)));
        }
        return series.put("running", column(samples, Sampler.Sample::running))
                .put("pendingP50", column(samples, ofAge(PendingAge::p50)))
                .put("pendingP95", column(samples, ofAge(PendingAge::p95)))
                .put("pendingP99", column(samples, ofAge(PendingAge::p99)))
                .put("pendingMax", column(samples, ofAge(PendingAge::max)))
                .put("bytes", column(samples, ofStore(known -> known.bytes() < 0 ? null : known.bytes())))
                .put("projectedBytes", column(samples, Sampler.Sample::projectedBytes));
    }

    private static Function<Sampler.Sample, @Nullable Object> ofAge(Function<PendingAge, Duration> age) {
        return ofStore(known -> age.apply(known.pendingAge()).toMillis());
    }

    private static Function<Sampler.Sample, @Nullable Object> ofStore(
            Function<StoreStatistics, @Nullable Object> value) {
        return sample -> sample.store() == null ? null : value.apply(sample.store());
    }

    private static JsonArray column(List<Sampler.Sample> samples, Function<Sampler.Sample, @Nullable Object> value) {
        JsonArray column = new JsonArray();
        samples.forEach(sample -> column.add(value.apply(sample)));
        return column;
    }
}
