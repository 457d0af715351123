package dev.semel.spring.autoconfigure;

import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spring.method.IdempotentMethods;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The endpoints that show keys, decisions about them, and what shadow mode has found. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
class ActuatorAutoConfiguration {

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = SemelDecisionsEndpoint.class)
    SemelDecisionsEndpoint semelDecisionsEndpoint(KeyStore store) {
        return new SemelDecisionsEndpoint(store);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = SemelShadowEndpoint.class)
    SemelShadowEndpoint semelShadowEndpoint(
            KeyStore store, SemelProperties properties, ObjectProvider<ShadowRecorder> recorder) {
        return new SemelShadowEndpoint(store, properties.parsedNamespace(), recorder.getIfAvailable());
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = SemelEndpoint.class)
    SemelEndpoint semelEndpoint(KeyStore store, IdempotentMethods methods) {
        return KeyStore.capability(store, Inspecting.class)
                .map(inspecting -> new SemelEndpoint(store, inspecting, methods::codec))
                .orElseThrow(() -> new SemelConfigurationException(
                        "The endpoint 'semel' is exposed, but the store "
                                + store.getClass().getName() + " does not implement Inspecting.",
                        "Do not expose the endpoint, or use a store that implements dev.semel.spi.Inspecting."));
    }
}
