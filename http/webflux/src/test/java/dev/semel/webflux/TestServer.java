package dev.semel.webflux;

import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A WebFlux application on Reactor Netty, behind the filter. */
final class TestServer implements AutoCloseable {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final AnnotationConfigApplicationContext context;
    private final DisposableServer server;

    private TestServer() {
        context = new AnnotationConfigApplicationContext(Application.class);
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.applicationContext(context).build()))
                .bindNow();
    }

    static TestServer start() {
        return new TestServer();
    }

    TestController controller() {
        return context.getBean(TestController.class);
    }

    HeldClaims claims() {
        return context.getBean(HeldClaims.class);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    int port() {
        return server.port();
    }

    HttpRequest.Builder request(String path, String key) {
        return HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json");
    }

    HttpResponse<String> post(String path, String key, String body) throws Exception {
        return send(request(path, key).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** The response, of which nothing but the head need have come. */
    HttpResponse<InputStream> stream(String path, String key) throws Exception {
        return CLIENT.send(
                request(path, key).POST(HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.disposeNow();
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Application {

        @Bean
        HeldClaims claims() {
            return new HeldClaims(InMemoryKeyStore.create());
        }

        @Bean
        Semel semel(HeldClaims claims) {
            return Semel.builder(claims.store()).build();
        }

        @Bean
        TestController controller() {
            return new TestController();
        }

        /** Stands for a security framework: answers its exceptions, outside of what is stored. */
        @Bean
        @Order(1)
        WebFilter security() {
            return (exchange, chain) -> chain.filter(exchange).onErrorResume(SecurityException.class, denied -> {
                exchange.getResponse().setRawStatusCode(403);
                return exchange.getResponse().setComplete();
            });
        }

        /** Counts the requests whose client has left, once everything behind it knows. */
        @Bean
        @Order(1)
        WebFilter departures(TestController controller) {
            return (exchange, chain) -> chain.filter(exchange).doFinally(signal -> {
                if (signal == SignalType.CANCEL) {
                    controller.departures.incrementAndGet();
                }
            });
        }

        @Bean
        @Order(2)
        WebFilter semelFilter(Semel semel, List<WebExceptionHandler> handlers, ServerCodecConfigurer codecs) {
            HttpGate gate = HttpGate.builder(semel).statusPath("/operations").build();
            ReactiveRuleFinder rules = exchange -> Mono.justOrEmpty(
                    exchange.getRequest().getPath().value().startsWith("/open")
                            ? null
                            : HttpRules.builder(Policy.external("test")
                                            .maxPayload(200_000)
                                            .notExecuted(TestController.TryAgainException.class::isInstance)
                                            .build())
                                    .maxRequestBody(500_000)
                                    .publishExpiry(true)
                                    .build());
            ReactiveScopeExtractor scopes = exchange ->
                    Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Nobody") == null ? "alice" : null);
            return SemelWebFilter.builder(gate, rules, scopes)
                    .exceptionHandlers(handlers)
                    .codecs(codecs)
                    .answeredBefore(SecurityException.class::isInstance)
                    .build();
        }

        @Bean
        @Order(-2)
        WebExceptionHandler exceptionHandler() {
            return (exchange, failure) -> {
                if (!(failure instanceof IllegalStateException)) {
                    return Mono.error(failure);
                }
                exchange.getResponse().setRawStatusCode(500);
                exchange.getResponse().getHeaders().set("Content-Type", "text/plain");
                return exchange.getResponse()
                        .writeWith(Mono.fromSupplier(() -> exchange.getResponse()
                                .bufferFactory()
                                .wrap(("handled " + failure.getMessage()).getBytes(StandardCharsets.UTF_8))));
            };
        }
    }
}
