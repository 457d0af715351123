package dev.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.shadow.ShadowFinding;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.http.shadow.ShadowReport;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** In shadow mode, a client cannot tell a WebFlux service from one without the filter. */
class ShadowWebFilterTest {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final FaultyStore store = FaultyStore.around(InMemoryKeyStore.create());
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Semel semel = Semel.builder(store.store()).build();
    private final ShadowRecorder recorder =
            ShadowRecorder.builder(store.store()).build();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        recorder.close();
        semel.close();
    }

    @Test
    void noResponseDiffersFromThatWithoutTheFilter() throws Exception {
        assertNoResponseDiffers();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noResponseDiffersWhateverTheStoreDoes(Fault fault) throws Exception {
        store.every(StoreCall.CLAIM, fault);

        assertNoResponseDiffers();
    }

    private void assertNoResponseDiffers() throws Exception {
        int plain = serve(false);
        int shadowed = serve(true);
        for (String path : List.of("/echo", "/form", "/unread", "/error", "/unknown", "/denied")) {
            for (String key : List.of("k1", "k1", "k2", "", "\"not closed", "x".repeat(400))) {
                for (String body : List.of("a=1", "{\"cents\":2}", "ä".repeat(100_000))) {
                    String type = path.equals("/form") ? FORM : JSON;
                    HttpResponse<String> expected = post(plain, path, "alice", key, type, body);
                    HttpResponse<String> actual = post(shadowed, path, "alice", key, type, body);

                    assertThat(actual.statusCode()).as("%s %s", path, key).isEqualTo(expected.statusCode());
                    assertThat(headers(actual)).as("%s %s", path, key).isEqualTo(headers(expected));
                    assertThat(actual.body()).as("%s %s", path, key).isEqualTo(expected.body());
                }
            }
        }
    }

    private static Map<String, List<String>> headers(HttpResponse<?> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.remove("date");
        return headers;
    }

    @Test
    void theReportSaysWhoExecutedTwice() throws Exception {
        int port = serve(true);
        post(port, "/echo", "alice", "same", JSON, "{\"cents\":1}");
        post(port, "/echo", "alice", "same", JSON, "{ \"cents\": 1 }");
        post(port, "/echo", "bob", "n1", JSON, "{\"cents\":1}");
        post(port, "/echo", "bob", "n2", JSON, "{\"cents\":1}");
        post(port, "/form", "carol", "f", FORM, "a=1");
        post(port, "/form", "carol", "f", FORM, "a=2");
        post(port, "/error", "dave", "e", JSON, "{}");
        post(port, "/error", "dave", "e", JSON, "{}");
        post(port, "/echo", "", "e", JSON, "{}");
        post(port, "/unknown", "erin", "u", JSON, "{}");
        post(port, "/unknown", "erin", "u", JSON, "{}");

        ShadowReport report = await().until(
                        () -> {
                            recorder.write().toCompletableFuture().join();
                            return ShadowReport.read(store.store(), null, Duration.ofHours(1))
                                    .toCompletableFuture()
                                    .join();
                        },
                        read -> read.requests() == 11);

        assertThat(found(report, "alice")).isEqualTo(Map.of(ShadowFinding.EXECUTED_TWICE, 1L));
        assertThat(found(report, "bob")).isEqualTo(Map.of(ShadowFinding.EXECUTED_UNDER_NEW_KEY, 1L));
        assertThat(found(report, "carol")).isEqualTo(Map.of(ShadowFinding.KEY_REUSED, 1L));
        assertThat(found(report, "dave")).isEqualTo(Map.of(ShadowFinding.RETRIED_WITH_ERROR, 1L));
        assertThat(found(report, "erin"))
                .isEqualTo(Map.of(ShadowFinding.OUTCOME_UNKNOWN, 1L, ShadowFinding.RETRIED_WITH_ERROR, 1L));
        assertThat(found(report, ShadowReport.NO_CALLER)).isEqualTo(Map.of(ShadowFinding.CALLER_UNKNOWN, 1L));
    }

    private static Map<ShadowFinding, Long> found(ShadowReport report, String caller) {
        return report.callers().stream()
                .filter(each -> each.caller().equals(caller))
                .findFirst()
                .orElseThrow()
                .counts();
    }

    private static HttpResponse<String> post(int port, String path, String user, String key, String type, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body));
        if (!user.isEmpty()) {
            request.header("X-User", user);
        }
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private int serve(boolean shadowed) {
        AtomicInteger runs = new AtomicInteger();
        WebHttpHandlerBuilder handler = WebHttpHandlerBuilder.webHandler(exchange -> handle(exchange, runs));
        if (shadowed) {
            HttpGate gate = HttpGate.builder(semel).shadow(recorder).build();
            HttpRules rules = HttpRules.builder(Policy.external("charge").build())
                    .shadow(true)
                    .build();
            handler.filter(SemelWebFilter.builder(
                            gate,
                            exchange -> Mono.just(rules),
                            exchange -> Mono.justOrEmpty(
                                    exchange.getRequest().getHeaders().getFirst("X-User")))
                    .build());
        }
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler.build()))
                .bindNow();
        open.add(server::disposeNow);
        return server.port();
    }

    private static Mono<Void> handle(ServerWebExchange exchange, AtomicInteger runs) {
        int run = runs.incrementAndGet();
        ServerHttpResponse response = exchange.getResponse();
        return switch (exchange.getRequest().getPath().value()) {
            case "/echo" ->
                DataBufferUtils.join(exchange.getRequest().getBody()).flatMap(body -> {
                    response.setStatusCode(HttpStatus.CREATED);
                    response.getHeaders().add("Location", "/charges/" + run);
                    return response.writeWith(Mono.just(body));
                });
            case "/form" ->
                exchange.getFormData()
                        .flatMap(form -> write(response, "run " + run + " of " + form.toSingleValueMap()));
            case "/unread" -> write(response, "run " + run);
            case "/error" -> Mono.error(new IllegalStateException("broken"));
            case "/unknown" -> Mono.error(new OutcomeUnknownException("no answer came", null));
            default -> Mono.error(new ResponseStatusException(HttpStatus.FORBIDDEN));
        };
    }

    private static Mono<Void> write(ServerHttpResponse response, String text) {
        DataBuffer buffer = response.bufferFactory().wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return response.writeWith(Mono.just(buffer));
    }
}
