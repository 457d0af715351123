package dev.semel.webflux;

import dev.semel.Semel;
import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.dialect.Dialect;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.ExpectedDialect;
import dev.semel.testkit.http.ExpectedWebhook;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The sample application on WebFlux and Reactor Netty. */
final class SampleServer implements AutoCloseable {

    final SampleService service = new SampleService();
    final SwitchableStore store;
    private final Map<Endpoint, HttpRules> rules = new EnumMap<>(Endpoint.class);
    private final Map<String, HttpRules> inDialects = new HashMap<>();
    private final Semel semel;
    private final DisposableServer server;

    SampleServer(KeyStore keys) {
        store = new SwitchableStore(keys);
        semel = Semel.builder(store)
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .build();
        for (Endpoint endpoint : Endpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        for (Endpoint endpoint : Endpoint.IN_DIALECTS) {
            for (ExpectedDialect dialect : ExpectedDialect.values()) {
                inDialects.put(
                        endpoint.path(dialect.dialect()),
                        HttpRules.builder(endpoint.policy(dialect.dialect(), dialect.resumes()))
                                .dialect(Dialect.named(dialect.dialect()))
                                .build());
            }
            for (ExpectedWebhook webhook : ExpectedWebhook.values()) {
                inDialects.put(
                        endpoint.path(webhook.dialect()),
                        HttpRules.builder(endpoint.policy(webhook.dialect(), true))
                                .dialect(Dialect.named(webhook.dialect()))
                                .signatureSecrets(ExpectedWebhook.SECRET)
                                .build());
            }
        }
        HttpGate gate = HttpGate.builder(semel).statusPath(Endpoint.STATUS_PATH).build();
        WebExceptionHandler errorPage = SampleServer::renderError;
        SemelWebFilter filter = SemelWebFilter.builder(gate, this::find, SampleServer::caller)
                .exceptionHandlers(List.of(errorPage))
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.webHandler(this::handle)
                        .filter(filter)
                        .exceptionHandler(errorPage)
                        .build()))
                .bindNow();
    }

    @Override
    public void close() {
        server.disposeNow();
        semel.close();
        store.close();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.port() + "/");
    }

    private static HttpRules rules(Endpoint endpoint) {
        return HttpRules.builder(endpoint.policy())
                .keyRequired(endpoint.keyRequired())
                .strictHeader(endpoint.strictHeader())
                .publishExpiry(endpoint.publishExpiry())
                .maxPreferredWait(endpoint.maxPreferredWait())
                .fields(Fields.allBut(endpoint.ignoredFields().toArray(String[]::new)))
                .documentation(Endpoint.DOCUMENTATION)
                .build();
    }

    private Mono<HttpRules> find(ServerWebExchange exchange) {
        String path = exchange.getRequest().getURI().getRawPath();
        return path.startsWith(Endpoint.IN_DIALECT)
                ? Mono.justOrEmpty(inDialects.get(path))
                : Mono.justOrEmpty(Endpoint.of(path).map(rules::get));
    }

    private static Mono<String> caller(ServerWebExchange exchange) {
        return Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("Authorization"))
                .map(authorization ->
                        authorization.substring("Bearer ".length()).split("\\.")[0]);
    }

    private Mono<Void> handle(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        return Mono.fromCompletionStage(() -> service.respond(new SampleRequest(
                        request.getURI().getRawPath(),
                        request.getURI().getRawQuery(),
                        request.getHeaders().getFirst(SampleRequest.CASE))))
                .flatMap(answer -> write(answer, exchange.getResponse()));
    }

    private static Mono<Void> write(SampleResponse answer, ServerHttpResponse response) {
        if (answer.error()) {
            return Mono.error(new ResponseStatusException(HttpStatusCode.valueOf(answer.status()), "as told"));
        }
        response.setRawStatusCode(answer.status());
        answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
        return response.writeAndFlushWith(Flux.fromIterable(answer.chunks())
                .map(chunk -> Mono.fromSupplier(() -> response.bufferFactory().wrap(chunk))));
    }

    private static Mono<Void> renderError(ServerWebExchange exchange, Throwable failure) {
        if (!(failure instanceof ResponseStatusException error)) {
            return Mono.error(failure);
        }
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(error.getStatusCode());
        response.getHeaders().set("Content-Type", "text/plain");
        return response.writeWith(Mono.fromSupplier(() ->
                response.bufferFactory().wrap(String.valueOf(error.getReason()).getBytes(StandardCharsets.UTF_8))));
    }
}
