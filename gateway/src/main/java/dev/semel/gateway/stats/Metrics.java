package dev.semel.gateway.stats;

import dev.semel.Semel;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.quota.Limit;
import dev.semel.gateway.quota.Quotas;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.HttpListener;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.micrometer.HttpMetrics;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.observe.SemelListener;
import dev.semel.spi.KeyStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The gateway's metrics for Prometheus. */
public final class Metrics {

    /** The metrics of the gateway itself; the engine has its own. */
    private static final Map<Count, String> COUNTED = Map.of(
            Count.REQUESTS, "Requests that arrived",
            Count.PASSED, "Requests passed through without protection",
            Count.REFUSED, "Requests refused before anything ran",
            Count.UPSTREAM_FAILURES, "Requests that the upstream did not answer");

    private static final String UNKNOWN = "unknown";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SemelMetrics engine;
    private final HttpMetrics http;
    private final ClientBehaviour clients;
    private final RequestTimes times;
    private final JvmGcMetrics garbage = new JvmGcMetrics();

    /** @param store the name of the store, for example {@code postgresql} */
    public Metrics(String version, String store, List<Route> routes, Stream<String> operations) {
        engine = SemelMetrics.in(registry, store);
        operations.forEach(engine::operation);
        http = new HttpMetrics(engine);
        clients = new ClientBehaviour(http::count);
        times = new RequestTimes(registry, routes);
        Gauge.builder("semel.build.info", () -> 1)
                .description("The versions of Semel and of Java")
                .tags("version", version, "java", System.getProperty("java.version", UNKNOWN))
                .register(registry);
        Stream.of(
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics(),
                        garbage)
                .forEach(binder -> binder.bindTo(registry));
    }

    public RequestTimes times() {
        return times;
    }

    public SemelListener ofEngine() {
        return engine;
    }

    public HttpListener ofRequests() {
        return http.and(clients);
    }

    /** The mistakes of clients. */
    public ClientBehaviour clients() {
        return clients;
    }

    public void watch(Semel semel, KeyStore store, Counters counters, LongSupplier buffered) {
        engine.watch(semel, store);
        COUNTED.forEach((count, description) -> FunctionCounter.builder(
                        "semel.gateway." + count.name().toLowerCase(Locale.ROOT), counters, now -> now.get(count))
                .description(description)
                .register(registry));
        for (Count reason : Count.FAILURES) {
            FunctionCounter.builder("semel.gateway.failures", counters, now -> now.get(reason))
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .description("Requests that the gateway answered with 502, 503 or 504")
                    .register(registry);
        }
        Gauge.builder("semel.gateway.connections", counters, Counters::connections)
                .description("Connections of clients")
                .register(registry);
        Gauge.builder("semel.gateway.buffered", buffered, LongSupplier::getAsLong)
                .strongReference(true)
                .baseUnit("bytes")
                .description("Memory that bodies of protected requests and responses take")
                .register(registry);
    }

    /** Whether the upstream answers. */
    public void watch(UpstreamHealth upstream) {
        Gauge.builder("semel.gateway.upstream.up", upstream, now -> now.outage() == null ? 1 : 0)
                .description("0 if the last requests got no answer from the upstream, 1 otherwise")
                .register(registry);
    }

    /** Counts refusals by limit; never by caller, of which there may be any number. */
    public void watch(Quotas quotas, Stream<String> operations) {
        for (Limit limit : Limit.values()) {
            FunctionCounter.builder("semel.gateway.over.limit", quotas, now -> now.refusals(limit))
                    .tag("limit", limit.label())
                    .description("Requests refused because their caller was over a limit")
                    .register(registry);
        }
        operations.forEach(operation -> Gauge.builder("semel.gateway.unknown", quotas, now -> now.unknownOf(operation))
                .tag("operation", operation)
                .description("Keys with an unknown outcome in the store, as of its last scan")
                .register(registry));
    }

    /** Everything, in the text format of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }

    public void close() {
        garbage.close();
        registry.close();
    }
}
