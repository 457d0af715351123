package dev.semel.spring.dialect;

import dev.semel.webflux.ReactiveScopeExtractor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

class WebFluxDialectsTest extends DialectContract {

    private static ConfigurableApplicationContext context;

    WebFluxDialectsTest() {
        super(context);
    }

    @BeforeAll
    static void start() {
        context = DialectHandlers.start(WebApplicationType.REACTIVE, Application.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
    static class Application {

        @Bean
        ReactiveScopeExtractor everybody() {
            return ReactiveScopeExtractor.fixed("everybody");
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeExchange(exchange -> exchange.anyExchange().permitAll())
                    .build();
        }
    }
}
