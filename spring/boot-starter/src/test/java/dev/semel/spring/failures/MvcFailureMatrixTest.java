package dev.semel.spring.failures;

import dev.semel.Attempt;
import dev.semel.Semel;
import dev.semel.http.ScopeExtractor;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.testkit.failures.FrontEnd;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** The column of Spring MVC in the failure matrix. */
class MvcFailureMatrixTest extends WebFailureContract {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "dev.semel.spring.autoconfigure.OutboxAutoConfiguration")
    static class Application {

        @Bean(destroyMethod = "")
        KeyStore keyStore() {
            return STORE;
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
                    ((HttpServletResponse) response).sendError(429);
                }
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
            ResponseEntity<String> run(@PathVariable String how, @RequestBody Map<String, Object> body, Attempt attempt)
                    throws Exception {
                return MatrixOperation.run(how, attempt, semel);
            }

            @Idempotent("matrix-timeout")
            @PostMapping("/matrix-timeout")
            DeferredResult<String> timeout(@RequestBody Map<String, Object> body) {
                MatrixOperation.RUNS.incrementAndGet();
                return new DeferredResult<>(100L);
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
            ResponseEntity<String> run(@PathVariable String how, Attempt attempt) throws Exception {
                return MatrixOperation.run(how, attempt, semel);
            }

            @ExceptionHandler
            ResponseEntity<String> render(RuntimeException failure) {
                return ResponseEntity.status(500).body("rendered");
            }
        }
    }

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.MVC;
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> all = new HashMap<>(super.scenarios());
        all.put("timeout", () -> inApplication(key -> request("/matrix-timeout", key, "{}")));
        return all;
    }

    @Override
    ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(PROPERTIES)
                .run();
    }
}
