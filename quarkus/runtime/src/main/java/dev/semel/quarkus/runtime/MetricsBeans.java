package dev.semel.quarkus.runtime;

import dev.semel.Semel;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.micrometer.HttpMetrics;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.spi.KeyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Metrics, where the application has a registry for them. As listeners, they are no default beans: others would hide them. */
@Singleton
public class MetricsBeans {

    @Produces
    @Singleton
    SemelMetrics metrics(MeterRegistry registry, KeyStore store) {
        return SemelMetrics.in(registry, SemelMetrics.nameOf(store));
    }

    @Produces
    @Singleton
    HttpMetrics httpMetrics(SemelMetrics metrics) {
        return new HttpMetrics(metrics);
    }

    @Produces
    @Singleton
    ClientBehaviour clientBehaviour(HttpMetrics metrics) {
        return new ClientBehaviour(metrics::count);
    }

    /** Binds the meters after startup, because the engine itself needs the metrics. */
    void start(@Observes StartupEvent event, SemelMetrics metrics, Semel semel, KeyStore store) {
        metrics.watch(semel, store);
    }
}
