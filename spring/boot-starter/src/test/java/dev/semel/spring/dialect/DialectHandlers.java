package dev.semel.spring.dialect;

import dev.semel.http.HttpEvent;
import dev.semel.http.HttpListener;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.stored.ReplayHook;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that each use one more of the settings that concern dialects; the same on both kinds of server. */
@RestController
class DialectHandlers {

    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String WITHDRAWN = "withdrawn";

    final AtomicInteger runs = new AtomicInteger();
    volatile CompletableFuture<Void> gate = new CompletableFuture<>();

    static ConfigurableApplicationContext start(WebApplicationType type, Class<?> application, String... arguments) {
        return new SpringApplicationBuilder(application, Beans.class, DialectHandlers.class)
                .web(type)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "semel.dialect=stripe",
                        "semel.http.header-name=X-Request-Key",
                        "semel.http.max-key-length=40",
                        "semel.http.replay-marker=Idempotent-Replayed,X-Idempotent-Replayed",
                        "semel.http.problem-pages=https://docs.example.org/problems",
                        "semel.http.documentation=https://docs.example.org/keys",
                        "semel.http.status-path=/operations",
                        "semel.http.key-time-header=X-First-Sent",
                        "semel.http.clock-tolerance=1m",
                        "semel.http.body-hash-secret=a secret of the tests",
                        "semel.http.signature-secrets=" + SECRET)
                .run(arguments);
    }

    static class Beans {

        @Bean
        KeyStore keyStore() {
            return InMemoryKeyStore.create();
        }

        @Bean
        Dialect ours() {
            return Dialect.builder("ours")
                    .error("application/json", "{\"code\":\"{code}\"}")
                    .answer(ProblemType.KEY_REUSED, 418, "token_reused")
                    .build();
        }

        @Bean
        ReplayHook rights() {
            return replay -> CompletableFuture.completedStage(
                    replay.headers().apply("X-Rights").contains(WITHDRAWN)
                            ? ReplayHook.Decision.deny()
                            : ReplayHook.Decision.allow());
        }

        @Bean
        AuditLog auditLog() {
            return new AuditLog(new ConcurrentLinkedQueue<>());
        }
    }

    record AuditLog(Collection<HttpEvent> events) implements HttpListener {

        @Override
        public void on(HttpEvent event) {
            events.add(event);
        }
    }

    private String run() {
        return "{\"run\":" + runs.incrementAndGet() + ",\"card\":\"4242\"}";
    }

    @Idempotent("configured")
    @PostMapping("/configured")
    String configured() {
        return run();
    }

    @Idempotent(value = "draft", dialect = "draft")
    @PostMapping("/draft")
    String draft() {
        return run();
    }

    @Idempotent(value = "acp", dialect = "acp")
    @PostMapping("/acp")
    String acp() {
        return run();
    }

    @Idempotent(value = "own", dialect = "ours")
    @PostMapping("/own")
    String own() {
        return run();
    }

    @Idempotent(value = "format", dialect = "draft", keyFormat = "uuid")
    @PostMapping("/format")
    String format() {
        return run();
    }

    @Idempotent(value = "timed", dialect = "draft", keyMaxAge = "1h")
    @PostMapping("/timed")
    String timed() {
        return run();
    }

    @Idempotent(
            value = "redacted",
            dialect = "draft",
            neverStore = {"/card", "header:ETag"})
    @PostMapping(path = "/redacted", produces = "application/json")
    ResponseEntity<String> redacted() {
        return ResponseEntity.ok().eTag("secret").body(run());
    }

    @Idempotent(value = "optional", required = false)
    @PostMapping("/optional")
    String optional() {
        return run();
    }

    @Idempotent(value = "hashed", dialect = "draft", keyFrom = "body-hash")
    @PostMapping("/hashed")
    String hashed(@RequestBody Map<String, Object> body) {
        return run();
    }

    @Idempotent(value = "async", dialect = "stripe", respondAsync = true)
    @PostMapping("/async")
    CompletableFuture<String> async() {
        String made = run();
        return gate.thenApply(now -> made);
    }

    @Idempotent(value = "event", dialect = "webhook", recovery = Recovery.RE_EXECUTE)
    @PostMapping("/event")
    String event(@RequestBody Map<String, Object> body) {
        return run();
    }

    @PostMapping("/open")
    String open() {
        return run();
    }
}
