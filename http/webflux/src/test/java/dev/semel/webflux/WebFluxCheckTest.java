package dev.semel.webflux;

import dev.semel.Semel;
import dev.semel.check.CheckTarget;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.check.ChargeService;
import dev.semel.testkit.check.SafeToRetry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The cases of {@code semel check} on WebFlux and Reactor Netty. */
class WebFluxCheckTest implements SafeToRetry {

    private static ChargeService service;
    private static Semel semel;
    private static DisposableServer server;

    @BeforeAll
    static void start() {
        service = ChargeService.start();
        semel = Semel.builder(InMemoryKeyStore.create()).build();
        HttpGate gate = HttpGate.builder(semel).build();
        HttpRules rules = HttpRules.of(Policy.external("charge").build());
        SemelWebFilter filter = SemelWebFilter.builder(
                        gate,
                        exchange -> Mono.just(rules),
                        exchange -> Mono.justOrEmpty(
                                exchange.getRequest().getHeaders().getFirst("Authorization")))
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.webHandler(WebFluxCheckTest::handle)
                        .filter(filter)
                        .build()))
                .bindNow();
    }

    @AfterAll
    static void stop() {
        server.disposeNow();
        semel.close();
        service.close();
    }

    private static Mono<Void> handle(ServerWebExchange exchange) {
        return DataBufferUtils.join(exchange.getRequest().getBody())
                .map(buffer -> {
                    String body = buffer.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(buffer);
                    return service.charge(exchange.getRequest().getHeaders()::getFirst, body);
                })
                .flatMap(charge -> Mono.delay(charge.delay()).then(write(charge, exchange.getResponse())));
    }

    private static Mono<Void> write(ChargeService.Charge charge, ServerHttpResponse response) {
        return Mono.defer(() -> {
            response.setRawStatusCode(charge.status());
            charge.headers().forEach(response.getHeaders()::set);
            return response.writeWith(
                    Mono.just(response.bufferFactory().wrap(charge.body().getBytes(StandardCharsets.UTF_8))));
        });
    }

    @Override
    public CheckTarget target() {
        return service.target(URI.create("http://127.0.0.1:" + server.port() + "/"))
                .keyRequired(true)
                .build();
    }
}
