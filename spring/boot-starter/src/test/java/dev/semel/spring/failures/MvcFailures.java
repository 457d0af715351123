package dev.semel.spring.failures;

import dev.semel.OutcomeUnknownException;
import dev.semel.http.ScopeExtractor;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import reactor.core.publisher.Mono;

/** A service on Tomcat in which everything that is not its own fails. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
@EnableMethodSecurity
class MvcFailures {

    static ConfigurableApplicationContext start(Class<?>... more) {
        return new SpringApplicationBuilder(MvcFailures.class)
                .sources(more)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "spring.mvc.async.request-timeout=300ms",
                        "semel.lease=1s",
                        "semel.maintenance-interval=0s")
                .run();
    }

    @Bean
    KeyStore keyStore() {
        return InMemoryKeyStore.create();
    }

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

    @Bean
    Filter refusing() {
        return (request, response, chain) -> {
            if (((HttpServletRequest) request).getHeader("X-Refuse") == null) {
                chain.doFilter(request, response);
            } else {
                ((HttpServletResponse) response).sendError(401, "not you");
            }
        };
    }

    @Bean
    WebMvcConfigurer throttling() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new HandlerInterceptor() {
                    @Override
                    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
                        if (request.getHeader("X-Throttle") == null) {
                            return true;
                        }
                        response.setStatus(429);
                        return false;
                    }
                });
            }
        };
    }

    /** Leaves its exceptions to the container. */
    @RestController
    static class Handlers {

        final AtomicInteger runs = new AtomicInteger();
        volatile CompletableFuture<String> gate = new CompletableFuture<>();

        @Idempotent("thrown")
        @PostMapping("/thrown/{how}")
        String thrown(@PathVariable Interruption how) {
            runs.incrementAndGet();
            throw how.exception();
        }

        @Idempotent("broken")
        @PostMapping("/broken/{how}")
        String broken(@PathVariable String how) {
            runs.incrementAndGet();
            IOException reset = new IOException("Connection reset by peer");
            if (how.equals("unknown")) {
                throw new OutcomeUnknownException("the processor did not answer", reset);
            }
            throw new UncheckedIOException(reset);
        }

        @Idempotent("definite")
        @PostMapping("/definite")
        String definite() {
            runs.incrementAndGet();
            throw Interruption.definite();
        }

        @Idempotent(value = "re-executed", recovery = Recovery.RE_EXECUTE)
        @PostMapping("/re-executed/{how}")
        String reExecuted(@PathVariable Interruption how) {
            if (runs.incrementAndGet() == 1) {
                throw how.exception();
            }
            return "run " + runs.get();
        }

        @Idempotent(value = "waited-for", recovery = Recovery.RE_EXECUTE, waitFor = "20s")
        @PostMapping("/waited-for")
        String waitedFor() {
            return reExecuted(Interruption.NESTED_IN_FLIGHT);
        }

        @Idempotent("charge")
        @PostMapping("/charge")
        String charge(@RequestBody Map<String, Object> body, @RequestParam(defaultValue = "1") int amount) {
            return "run " + runs.incrementAndGet();
        }

        @Idempotent("answered")
        @PostMapping("/answered/{status}")
        ResponseEntity<String> answered(@PathVariable int status) {
            return ResponseEntity.status(status).body("run " + runs.incrementAndGet());
        }

        @Idempotent("denied")
        @PostMapping("/denied")
        String denied() {
            runs.incrementAndGet();
            throw new AccessDeniedException("not you");
        }

        @Idempotent("late")
        @PostMapping("/late/deferred")
        DeferredResult<String> deferred() {
            runs.incrementAndGet();
            DeferredResult<String> result = new DeferredResult<>();
            gate.thenAccept(result::setResult);
            return result;
        }

        @Idempotent("late-with-result")
        @PostMapping("/late/deferred-with-result")
        DeferredResult<String> deferredWithResult() {
            runs.incrementAndGet();
            return new DeferredResult<>(300L, "still working");
        }

        @Idempotent("late-callable")
        @PostMapping("/late/callable")
        Callable<String> callable() {
            runs.incrementAndGet();
            return () -> gate.join();
        }

        @Idempotent("late-future")
        @PostMapping("/late/future")
        CompletableFuture<String> future() {
            runs.incrementAndGet();
            return gate.thenApply(text -> text + " of run " + runs.get());
        }

        @Idempotent("late-mono")
        @PostMapping("/late/mono")
        Mono<String> mono() {
            runs.incrementAndGet();
            return Mono.fromFuture(gate).map(text -> text + " of run " + runs.get());
        }
    }

    /** Renders all exceptions itself. */
    @RestController
    static class Rendering {

        final AtomicInteger runs = new AtomicInteger();

        @Idempotent("rendered")
        @PostMapping("/rendered/{how}")
        String rendered(@PathVariable Interruption how) {
            runs.incrementAndGet();
            throw how.exception();
        }

        @Idempotent("rendered-deferred")
        @PostMapping("/rendered-deferred/{how}")
        DeferredResult<String> deferred(@PathVariable Interruption how) {
            runs.incrementAndGet();
            DeferredResult<String> result = new DeferredResult<>();
            result.setErrorResult(how.exception());
            return result;
        }

        @Idempotent("rendered-callable")
        @PostMapping("/rendered-callable/{how}")
        Callable<String> callable(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return () -> {
                throw how.exception();
            };
        }

        @Idempotent("rendered-future")
        @PostMapping("/rendered-future/{how}")
        CompletableFuture<String> future(@PathVariable Interruption how) {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(how.exception());
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
        public String secured() {
            return "run " + RUNS.incrementAndGet();
        }
    }
}
