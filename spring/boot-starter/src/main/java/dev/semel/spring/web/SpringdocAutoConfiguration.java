package dev.semel.spring.web;

import dev.semel.spring.operation.SemelProperties;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Adds the rules of guarded handlers to the API description that springdoc creates. */
@AutoConfiguration(after = {ServletAutoConfiguration.class, WebFluxAutoConfiguration.class})
@ConditionalOnWebApplication
@ConditionalOnClass(name = "org.springdoc.core.customizers.GlobalOperationCustomizer")
class SpringdocAutoConfiguration {

    @Bean
    GlobalOperationCustomizer semelOpenApiOperations(ObjectProvider<HandlerRules> rules, SemelProperties properties) {
        OpenApiOperations operations = new OpenApiOperations(properties.http().replayMarker());
        return (operation, handler) -> {
            rules.ifAvailable(all -> operations.describe(operation, all.rulesOf(handler)));
            return operation;
        };
    }

    @Bean
    GlobalOpenApiCustomizer semelOpenApiSchemas() {
        return OpenApiOperations::addSchemas;
    }
}
