package dev.semel.spring.autoconfigure;

import dev.semel.Semel;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.micrometer.HttpMetrics;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.spi.KeyStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Metrics, where the application has a registry for them. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, SemelMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
class MetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SemelMetrics semelMetrics(MeterRegistry registry, KeyStore store) {
        return SemelMetrics.in(registry, SemelMetrics.nameOf(store));
    }

    @Bean
    HttpMetrics semelHttpMetrics(SemelMetrics metrics) {
        return new HttpMetrics(metrics);
    }

    @Bean
    ClientBehaviour semelClientBehaviour(HttpMetrics metrics) {
        return new ClientBehaviour(metrics::count);
    }

    /** Binds the meters after startup, because the engine itself needs the metrics. */
    @Bean
    SmartInitializingSingleton semelMeters(SemelMetrics metrics, Semel semel, KeyStore store) {
        return () -> metrics.watch(semel, store);
    }
}
