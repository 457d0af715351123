package dev.semel.webflux;

import dev.semel.Semel;
import dev.semel.http.Fields;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.stored.Redaction;
import dev.semel.http.stored.ReplayHook;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.RuleEndpoint;
import dev.semel.testkit.http.RulesConformance;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The rules of single operations on WebFlux and Reactor Netty. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxRulesTest extends RulesConformance {

    private final SampleService service = new SampleService();
    private final SwitchableStore store = new SwitchableStore(InMemoryKeyStore.create());
    private final Semel semel = Semel.builder(store).build();
    private final Map<RuleEndpoint, HttpRules> rules = new EnumMap<>(RuleEndpoint.class);
    private DisposableServer server;

    @BeforeAll
    void startServer() {
        for (RuleEndpoint endpoint : RuleEndpoint.values()) {
            rules.put(endpoint, rules(endpoint));
        }
        HttpGate gate = HttpGate.builder(semel).statusPath(Endpoint.STATUS_PATH).build();
        SemelWebFilter filter = SemelWebFilter.builder(
                        gate,
                        exchange -> Mono.justOrEmpty(
                                RuleEndpoint.of(exchange.getRequest().getURI().getRawPath())
                                        .map(rules::get)),
                        WebFluxRulesTest::caller)
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.webHandler(this::handle)
                        .filter(filter)
                        .build()))
                .bindNow();
    }

    @AfterAll
    void stopServer() {
        server.disposeNow();
        semel.close();
        store.close();
    }

    private static HttpRules rules(RuleEndpoint endpoint) {
        KeyCheck check = KeyCheck.of(endpoint.keyFormat());
        HttpRules.Builder rules =
                HttpRules.builder(Policy.external(endpoint.operation()).build());
        if (endpoint == RuleEndpoint.WITHDRAWN) {
            rules.replayHook(replay -> CompletableFuture.completedStage(
                    replay.headers().apply("Authorization").toString().contains(RuleEndpoint.WITHDRAWN_TOKEN)
                            ? ReplayHook.Decision.deny()
                            : ReplayHook.Decision.allow()));
        }
        return rules.keySource(KeySource.parse(
                        endpoint.keyFrom(),
                        KeySource.bodyHash(RuleEndpoint.SECRET.getBytes(StandardCharsets.UTF_8), Fields.all())
                                .withTarget()))
                .respondAsync(endpoint.respondAsync())
                .neverStored(Redaction.of(endpoint.neverStore().toArray(String[]::new)))
                .keyCheck(endpoint.keyMaxAge().map(check::withMaxAge).orElse(check))
                .build();
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
        response.setRawStatusCode(answer.status());
        answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
        return response.writeWith(Flux.fromIterable(answer.chunks()).map(response.bufferFactory()::wrap));
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
}
