package dev.semel.spring.autoconfigure;

import dev.semel.spi.KeyStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the store, on Spring Boot 4. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class HealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("semel")
    SemelHealthIndicator semelHealthIndicator(KeyStore store) {
        return new SemelHealthIndicator(store);
    }
}
