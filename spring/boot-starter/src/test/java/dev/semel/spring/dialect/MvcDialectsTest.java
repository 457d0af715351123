package dev.semel.spring.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.ScopeExtractor;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MvcDialectsTest extends DialectContract {

    private static ConfigurableApplicationContext context;

    MvcDialectsTest() {
        super(context);
    }

    @BeforeAll
    static void start() {
        context = DialectHandlers.start(
                WebApplicationType.SERVLET,
                Application.class,
                "--springdoc.api-docs.enabled=true",
                // Takes the coroutines that stand in the tests of this module for those of Kotlin.
                "--spring.autoconfigure.exclude=org.springdoc.core.configuration.SpringDocKotlinConfiguration");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void springdocDescribesWhatClientsHaveToKnow() throws Exception {
        JsonNode paths = new JsonMapper().readTree(send(to("/v3/api-docs")).body());
        JsonNode draft = paths.at("/paths/~1draft/post");

        assertThat(draft.at("/parameters/0/name").asString()).isEqualTo("X-Request-Key");
        assertThat(draft.at("/parameters/0/in").asString()).isEqualTo("header");
        assertThat(draft.at("/parameters/0/required").asBoolean()).isTrue();
        assertThat(draft.at("/parameters/0/schema/type").asString()).isEqualTo("string");
        assertThat(draft.at("/parameters/0/schema/maxLength").asInt()).isEqualTo(40);
        assertThat(draft.at("/responses/200/headers").propertyNames())
                .contains("Idempotent-Replayed", "X-Idempotent-Replayed", "Idempotency-Expires");
        assertThat(draft.at("/responses").propertyNames()).contains("400", "409", "410", "422", "503");
        assertThat(draft.at("/responses/422/content/application~1problem+json/schema/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/SemelProblem");
        assertThat(paths.at("/components/schemas/SemelProblem/properties/outcome/type")
                        .asString())
                .isEqualTo("string");

        JsonNode acp = paths.at("/paths/~1acp/post/responses");
        assertThat(acp.at("/409/content/application~1json/examples/in-flight/value/code")
                        .asString())
                .isEqualTo("idempotency_in_flight");
        assertThat(paths.at("/paths/~1async/post/responses/202/headers").propertyNames())
                .contains("Location");

        JsonNode open = paths.at("/paths/~1open/post");
        assertThat(open.isMissingNode()).isFalse();
        assertThat(open.has("parameters")).isFalse();
        assertThat(open.at("/responses").propertyNames()).containsExactly("200");
        assertThat(open.at("/responses/200").has("headers")).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
    static class Application {

        @Bean
        ScopeExtractor<HttpServletRequest> everybody() {
            return ScopeExtractor.fixed("everybody");
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }
}
