package dev.semel.spring.autoconfigure;

import dev.semel.observe.Tracing;
import dev.semel.opentelemetry.SemelTracing;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Spans, where the application has an OpenTelemetry for them. */
@AutoConfiguration
@ConditionalOnClass({OpenTelemetry.class, SemelTracing.class})
class TracingAutoConfiguration {

    /** Asked for when it is made, since the configuration that has it is called otherwise in each Spring Boot. */
    @Bean
    @ConditionalOnMissingBean
    Tracing semelTracing(ObjectProvider<OpenTelemetry> openTelemetry) {
        OpenTelemetry present = openTelemetry.getIfUnique();
        return present == null ? Tracing.NONE : SemelTracing.with(present);
    }
}
