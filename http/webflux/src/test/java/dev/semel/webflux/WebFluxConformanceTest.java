package dev.semel.webflux;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.HttpConformance;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestPostgres;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
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

/** The protocol, point by point, on WebFlux, Reactor Netty and PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxConformanceTest extends HttpConformance {

    private final SampleService service = new SampleService();
    private final Map<Endpoint, HttpRules> rules = new EnumMap<>(Endpoint.class);
    private HikariDataSource dataSource;
    private SwitchableStore store;
    private Semel semel;
    private DisposableServer server;

    @BeforeAll
    void startServer() {
        dataSource = TestPostgres.pool(TestPostgres.newDatabase(), 10);
        store = new SwitchableStore(
                JdbcKeyStore.builder(dataSource).createIfMissing().build());
        semel = Semel.builder(store)
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .build();
        for (Endpoint endpoint : Endpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        HttpGate gate = HttpGate.builder(semel).statusPath(Endpoint.STATUS_PATH).build();
        WebExceptionHandler errorPage = WebFluxConformanceTest::renderError;
        SemelWebFilter filter = SemelWebFilter.builder(gate, this::find, WebFluxConformanceTest::caller)
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

    @AfterAll
    void stopServer() {
        server.disposeNow();
        semel.close();
        store.close();
        dataSource.close();
    }

    @Override
    protected URI baseUri() {
        return URI.create("http://127.0.0.1:" + server.port() + "/");
    }

    @Override
    protected SampleService service() {
        return service;
    }

    @Override
    protected SwitchableStore store() {
        return store;
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
        return Mono.justOrEmpty(
                Endpoint.of(exchange.getRequest().getURI().getRawPath()).map(rules::get));
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
