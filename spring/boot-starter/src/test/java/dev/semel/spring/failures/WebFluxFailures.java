package dev.semel.spring.failures;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.webflux.ReactiveScopeExtractor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service on Reactor Netty in which everything that is not its own fails. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
@EnableReactiveMethodSecurity
class WebFluxFailures {

    static ConfigurableApplicationContext start(Class<?>... more) {
        return new SpringApplicationBuilder(WebFluxFailures.class)
                .sources(more)
                .web(WebApplicationType.REACTIVE)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "semel.lease=1s",
                        "semel.maintenance-interval=0s")
                .run();
    }

    @Bean
    KeyStore keyStore() {
        return InMemoryKeyStore.create();
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
            exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
            return exchange.getResponse().setComplete();
        };
    }

    /** Leaves its exceptions to the application's exception handlers. */
    @RestController
    static class Handlers {

        final AtomicInteger runs = new AtomicInteger();
        volatile CompletableFuture<String> gate = new CompletableFuture<>();

        @Idempotent("thrown")
        @PostMapping("/thrown/{how}")
        Mono<String> thrown(@PathVariable Interruption how) {
            runs.incrementAndGet();
            throw how.exception();
        }

        @Idempotent("failed")
        @PostMapping("/failed/{how}")
        Mono<String> failed(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return Mono.error(how.exception());
        }

        @Idempotent("definite")
        @PostMapping("/definite")
        Mono<String> definite() {
            runs.incrementAndGet();
            return Mono.error(Interruption.definite());
        }

        @Idempotent(value = "re-executed", recovery = Recovery.RE_EXECUTE)
        @PostMapping("/re-executed/{how}")
        Mono<String> reExecuted(@PathVariable Interruption how) {
            return runs.incrementAndGet() == 1 ? Mono.error(how.exception()) : Mono.just("run " + runs.get());
        }

        @Idempotent("charge")
        @PostMapping("/charge")
        Mono<String> charge(@RequestBody Map<String, Object> body, @RequestParam(defaultValue = "1") int amount) {
            return Mono.fromSupplier(() -> "run " + runs.incrementAndGet());
        }

        @Idempotent("answered")
        @PostMapping("/answered/{status}")
        ResponseEntity<String> answered(@PathVariable int status) {
            return ResponseEntity.status(status).body("run " + runs.incrementAndGet());
        }

        @Idempotent("denied")
        @PostMapping("/denied")
        Mono<String> denied() {
            runs.incrementAndGet();
            return Mono.error(new AccessDeniedException("not you"));
        }

        @Idempotent("slow")
        @PostMapping("/slow")
        Mono<String> slow() {
            runs.incrementAndGet();
            return Mono.fromFuture(gate, true);
        }
    }

    /** Renders all exceptions itself. */
    @RestController
    static class Rendering {

        static final class TryAgainException extends RuntimeException {

            private static final long serialVersionUID = 1L;
        }

        final AtomicInteger runs = new AtomicInteger();

        @Idempotent("rendered-thrown")
        @PostMapping("/rendered-thrown/{how}")
        Mono<String> thrown(@PathVariable Interruption how) {
            runs.incrementAndGet();
            throw how.exception();
        }

        @Idempotent("rendered-mono")
        @PostMapping("/rendered-mono/{how}")
        Mono<String> mono(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return Mono.error(how.exception());
        }

        @Idempotent("rendered-flux")
        @PostMapping("/rendered-flux/{how}")
        Flux<Map<String, Integer>> flux(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return Flux.error(how.exception());
        }

        @Idempotent("rendered-future")
        @PostMapping("/rendered-future/{how}")
        CompletableFuture<String> future(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(how.exception());
        }

        @Idempotent(value = "says", notExecuted = TryAgainException.class)
        @PostMapping("/says/{what}")
        Mono<String> says(@PathVariable String what) {
            runs.incrementAndGet();
            return Mono.error(
                    switch (what) {
                        case "not-executed" -> new NotExecutedException("nothing happened", null);
                        case "try-again" -> new TryAgainException();
                        default -> new OutcomeUnknownException("the processor did not answer", null);
                    });
        }

        @ExceptionHandler
        ResponseEntity<String> render(RuntimeException failure) {
            return ResponseEntity.status(500).body("rendered");
        }
    }

    @RestController
    static class Streams extends StreamingHandlers {}

    /** Keeps everybody out of its method. */
    @RestController("secured")
    static class Secured {

        static final AtomicInteger RUNS = new AtomicInteger();
        static volatile boolean open;

        public boolean isOpen() {
            return open;
        }

        @Idempotent("secured")
        @PreAuthorize("@secured.open")
        @PostMapping("/secured")
        public Mono<String> secured() {
            return Mono.just("run " + RUNS.incrementAndGet());
        }
    }
}
