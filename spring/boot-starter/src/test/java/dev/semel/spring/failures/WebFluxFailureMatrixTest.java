package dev.semel.spring.failures;

import dev.semel.Attempt;
import dev.semel.Semel;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.webflux.ReactiveScopeExtractor;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The column of Spring WebFlux in the failure matrix. */
class WebFluxFailureMatrixTest extends WebFailureContract {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
    static class Application {

        @Bean(destroyMethod = "")
        KeyStore keyStore() {
            return STORE;
        }

        /** Its own, because closing an application would take those of other tests from them. */
        @Bean
        ReactorResourceFactory resources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            return resources;
        }

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

        @Bean
        @Order(0)
        WebFilter refusing() {
            return (exchange, chain) -> {
                if (exchange.getRequest().getHeaders().getFirst("X-Refuse") == null) {
                    return chain.filter(exchange);
                }
                exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
                return exchange.getResponse().setComplete();
            };
        }

        @RestController
        static class Handlers {

            private final Semel semel;

            Handlers(Semel semel) {
                this.semel = semel;
            }

            @Idempotent("matrix")
            @PostMapping("/matrix/{how}")
            Mono<ResponseEntity<String>> run(
                    @PathVariable String how, @RequestBody Map<String, Object> body, Attempt attempt) {
                return Mono.fromCallable(() -> MatrixOperation.run(how, attempt, semel))
                        .subscribeOn(Schedulers.boundedElastic())
                        // Not where the callable ran: Reactor may interrupt that thread when it has failed.
                        .publishOn(Schedulers.parallel());
            }
        }

        @RestController
        static class Rendering {

            private final Semel semel;

            Rendering(Semel semel) {
                this.semel = semel;
            }

            @Idempotent("matrix-rendered")
            @PostMapping("/matrix-rendered/{how}")
            Mono<ResponseEntity<String>> run(@PathVariable String how, Attempt attempt) {
                return Mono.fromCallable(() -> MatrixOperation.run(how, attempt, semel));
            }

            @ExceptionHandler
            ResponseEntity<String> render(RuntimeException failure) {
                return ResponseEntity.status(500).body("rendered");
            }
        }
    }

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.WEBFLUX;
    }

    @Override
    ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.REACTIVE)
                .properties(PROPERTIES)
                .run();
    }
}
