package dev.semel.spring.json;

import dev.semel.jackson.Jackson2Json;
import dev.semel.jackson.Jackson3Json;
import dev.semel.jackson.Json;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Configures the JSON library for the results of methods: Jackson 3 if it is present, otherwise Jackson 2. */
@Configuration(proxyBeanMethods = false)
@Import({JsonConfiguration.Jackson3.class, JsonConfiguration.Jackson2.class})
public class JsonConfiguration {

    private static final String JACKSON_3 = "tools.jackson.databind.json.JsonMapper";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = JACKSON_3)
    static class Jackson3 {

        @Bean
        Json semelJson(ObjectProvider<tools.jackson.databind.json.JsonMapper> mappers) {
            return new Jackson3Json(mappers.getIfAvailable(tools.jackson.databind.json.JsonMapper::shared));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(JACKSON_3)
    @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
    static class Jackson2 {

        @Bean
        Json semelJson(ObjectProvider<com.fasterxml.jackson.databind.ObjectMapper> mappers) {
            return new Jackson2Json(mappers.getIfAvailable(com.fasterxml.jackson.databind.ObjectMapper::new));
        }
    }

    public static Json missing() {
        return new Json() {
            @Override
            public byte[] write(@Nullable Object value, Type type) {
                throw absent();
            }

            @Override
            public @Nullable Object read(byte[] json, Type type) {
                throw absent();
            }

            @Override
            public @Nullable String unreadable(Type type) {
                return null;
            }

            private IllegalStateException absent() {
                return new IllegalStateException("@Idempotent stores the results of bean methods as JSON; add"
                        + " tools.jackson.core:jackson-databind to the application");
            }
        };
    }
}
