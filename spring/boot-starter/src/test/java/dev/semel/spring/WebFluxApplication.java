package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service on Reactor Netty and PostgreSQL, with Spring Security in front of it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Accounts.class, Inherited.Charges.class, Inherited.Refunds.class})
class WebFluxApplication {

    private static ConfigurableApplicationContext context;

    /** One for all tests of this module. */
    static synchronized ConfigurableApplicationContext running() {
        if (context == null) {
            context = start();
        }
        return context;
    }

    static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(WebFluxApplication.class)
                .web(WebApplicationType.REACTIVE)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=" + TestPostgres.url("postgres"),
                        "spring.datasource.username=postgres",
                        "semel.jdbc.table=webflux_key")
                .properties(properties)
                .run();
    }

    static TestClient client() {
        return client(running());
    }

    static TestClient client(ConfigurableApplicationContext context) {
        return new TestClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
        return http.csrf(csrf -> csrf.disable())
                .authorizeExchange(exchange -> exchange.anyExchange().permitAll())
                .addFilterAt(bearer(), SecurityWebFiltersOrder.AUTHENTICATION)
                .build();
    }

    /** Knows a caller by the part of its token before the dot. */
    private static WebFilter bearer() {
        return (exchange, chain) -> {
            String header = exchange.getRequest().getHeaders().getFirst("Authorization");
            if (header == null || !header.startsWith("Bearer ") || !header.contains(".")) {
                return chain.filter(exchange);
            }
            String name = header.substring("Bearer ".length(), header.indexOf('.'));
            return chain.filter(exchange)
                    .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                            new TestingAuthenticationToken(name, header, List.of())));
        };
    }

    /** Handlers of every kind that WebFlux has. */
    @RestController
    static class Handlers {

        final AtomicInteger runs = new AtomicInteger();
        volatile CompletableFuture<String> gate = new CompletableFuture<>();

        @Idempotent("charge")
        @PostMapping("/charge")
        Mono<ResponseEntity<Map<String, Integer>>> charge(@RequestBody Map<String, Object> body) {
            return Mono.delay(Duration.ofMillis(1))
                    .map(tick -> ResponseEntity.status(201).body(Map.of("run", runs.incrementAndGet())));
        }

        @Idempotent
        @PostMapping("/flux")
        Flux<Map<String, Integer>> flux() {
            int run = runs.incrementAndGet();
            return Flux.just(Map.of("run", run), Map.of("end", run));
        }

        @Idempotent
        @PostMapping("/future")
        CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(() -> "future run " + runs.incrementAndGet());
        }

        @Idempotent
        @PostMapping("/rendered")
        Mono<String> rendered() {
            return Mono.error(() -> new IllegalStateException("run " + runs.incrementAndGet()));
        }

        @ExceptionHandler(IllegalStateException.class)
        ResponseEntity<String> render(IllegalStateException failure) {
            return ResponseEntity.status(500).body("rendered " + failure.getMessage());
        }

        @Idempotent
        @PostMapping("/status-exception")
        Mono<String> statusException() {
            runs.incrementAndGet();
            return Mono.error(new ResponseStatusException(HttpStatus.CONFLICT));
        }

        @Idempotent
        @PostMapping("/thrown")
        Mono<String> thrown() {
            throw new UnsupportedOperationException("run " + runs.incrementAndGet());
        }

        @Idempotent
        @PostMapping("/not-executed")
        Mono<String> notExecuted() {
            runs.incrementAndGet();
            return Mono.error(new NotExecutedException("nothing happened", null));
        }

        @Idempotent
        @PostMapping("/denied")
        Mono<String> denied() {
            runs.incrementAndGet();
            return Mono.error(new AccessDeniedException("not you"));
        }

        @Idempotent
        @PostMapping("/accounts/{id}/charge")
        Mono<String> account(@PathVariable String id, Attempt attempt, ServerWebExchange exchange) {
            return Mono.just(
                    "charged " + id + " in attempt " + attempt.number() + " and run " + runs.incrementAndGet());
        }

        @Idempotent(value = "key-in-body", keyFrom = "json:/request_id")
        @PostMapping("/key-in-body")
        Mono<String> keyInBody(@RequestBody Map<String, Object> body) {
            return Mono.fromSupplier(() -> body.get("request_id") + " in run " + runs.incrementAndGet());
        }

        @Idempotent(waitFor = "300ms")
        @PostMapping("/impatient")
        Mono<String> impatient() {
            int run = runs.incrementAndGet();
            return Mono.fromFuture(gate, true).map(text -> text + " of run " + run);
        }
    }
}
