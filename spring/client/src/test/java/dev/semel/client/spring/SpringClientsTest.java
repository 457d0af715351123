package dev.semel.client.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.client.IdempotentRequests;
import dev.semel.client.KeyFormat;
import dev.semel.client.MaybeAppliedException;
import dev.semel.client.NotAppliedException;
import dev.semel.client.RetryPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/** Both of Spring's clients, against a server that answers as it is answer. */
class SpringClientsTest {

    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .maxAttempts(4)
            .delays(Duration.ofMillis(1), Duration.ofMillis(5))
            .build();

    private record PlannedAnswer(int status, String body, List<String> headers) {}

    private record Seen(String method, String path, String key, String body, String authorization) {}

    private final Queue<PlannedAnswer> answers = new ArrayDeque<>();
    private final List<Seen> requests = new CopyOnWriteArrayList<>();
    private final List<String> payPalKeys = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private String base;

    /** The clients of Spring. */
    enum Client {
        REST {
            @Override
            ResponseEntity<String> send(String base, HttpMethod method, String key) {
                RestClient client = RestClient.builder()
                        .baseUrl(base)
                        .requestFactory(new JdkClientHttpRequestFactory())
                        .requestInterceptor(new IdempotentRequestInterceptor(RETRIES, KeyFormat.QUOTED))
                        .build();
                RestClient.RequestBodySpec request = client.method(method).uri("/charges");
                if (key != null) {
                    request.header("Idempotency-Key", key);
                }
                if (!method.equals(HttpMethod.GET)) {
                    request.contentType(MediaType.APPLICATION_JSON).body("{\"amount\":1}");
                }
                return request.header("Authorization", "Bearer a")
                        .retrieve()
                        .onStatus(status -> true, (sent, response) -> {})
                        .toEntity(String.class);
            }
        },
        WEB {
            @Override
            ResponseEntity<String> send(String base, HttpMethod method, String key) {
                WebClient client = WebClient.builder()
                        .baseUrl(base)
                        .filter(new IdempotentExchangeFilter(RETRIES, KeyFormat.QUOTED))
                        .build();
                WebClient.RequestBodySpec request = client.method(method).uri("/charges");
                if (key != null) {
                    request.header("Idempotency-Key", key);
                }
                if (!method.equals(HttpMethod.GET)) {
                    request.contentType(MediaType.APPLICATION_JSON).bodyValue("{\"amount\":1}");
                }
                return request.header("Authorization", "Bearer a")
                        .retrieve()
                        .onStatus(status -> true, response -> Mono.empty())
                        .toEntity(String.class)
                        .block();
            }
        };

        abstract ResponseEntity<String> send(String base, HttpMethod method, String key);
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(int status, String body, String... headers) {
        answers.add(new PlannedAnswer(status, body, List.of(headers)));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            payPalKeys.add(String.valueOf(exchange.getRequestHeaders().getFirst("PayPal-Request-Id")));
            requests.add(new Seen(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    exchange.getRequestHeaders().getFirst("Authorization")));
            PlannedAnswer answer = answers.size() > 1 ? answers.remove() : answers.element();
            if (answer.status == 0) {
                return;
            }
            for (int i = 0; i < answer.headers.size(); i += 2) {
                exchange.getResponseHeaders().set(answer.headers.get(i), answer.headers.get(i + 1));
            }
            byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
            // A planned break promises one byte more than is sent.
            int missing = answer.headers.contains("X-Breaks") ? 1 : 0;
            exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length + missing);
            exchange.getResponseBody().write(body);
        }
    }

    @ParameterizedTest
    @EnumSource
    void retriesUnderOneKey(Client client) {
        answer(0, "");
        answer(503, "busy", "Retry-After", "0");
        answer(409, "{\"outcome\":\"pending\",\"retry\":\"same-key\"}", "Retry-After", "0");
        answer(201, "made");

        assertThat(client.send(base, HttpMethod.POST, null).getBody()).isEqualTo("made");
        assertThat(requests).hasSize(4).extracting(Seen::body).containsOnly("{\"amount\":1}");
        assertThat(requests)
                .extracting(Seen::key)
                .containsOnly(requests.get(0).key)
                .doesNotContainNull();
        assertThat(requests.get(0).key).matches("\"[0-9a-f-]{36}\"");
    }

    @ParameterizedTest
    @EnumSource
    void keepsAKeyThatTheCallerChose(Client client) {
        answer(201, "made");

        client.send(base, HttpMethod.PATCH, "order-1");
        assertThat(requests).extracting(Seen::key).containsExactly("order-1");
    }

    @ParameterizedTest
    @EnumSource
    void leavesOtherMethodsAlone(Client client) {
        answer(503, "");

        client.send(base, HttpMethod.GET, null);
        assertThat(requests).hasSize(1).extracting(Seen::key).containsOnlyNulls();
    }

    @ParameterizedTest
    @EnumSource
    void passesADefiniteRefusalOnWithItsBody(Client client) {
        String problem = "{\"outcome\":\"unknown\",\"retry\":\"new-key\"}";
        answer(422, problem);

        ResponseEntity<String> response = client.send(base, HttpMethod.POST, null);
        assertThat(response.getStatusCode().value()).isEqualTo(422);
        assertThat(response.getBody()).isEqualTo(problem);
        assertThat(requests).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void asksTheStatusResourceAsTheSameCaller(Client client) {
        answer(202, "{\"outcome\":\"pending\"}", "Location", "/operations/7", "Retry-After", "0");
        answer(201, "made", "Idempotent-Replayed", "true");

        assertThat(client.send(base, HttpMethod.POST, null).getBody()).isEqualTo("made");
        assertThat(requests.get(1)).isEqualTo(new Seen("GET", "/operations/7", null, "", "Bearer a"));
    }

    @ParameterizedTest
    @EnumSource
    void retriesASuccessWhoseBodyBreaksOff(Client client) {
        answer(201, "ma", "X-Breaks", "yes");
        answer(201, "made", "Idempotent-Replayed", "true");

        assertThat(client.send(base, HttpMethod.POST, null).getBody()).isEqualTo("made");
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1)).isEqualTo(requests.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void namesTheKeyOfASuccessWhoseBodyNeverArrivesWhole(Client client) {
        answer(201, "ma", "X-Breaks", "yes");

        assertThatThrownBy(() -> client.send(base, HttpMethod.POST, null))
                .satisfies(failure -> assertThat(Stream.iterate(failure, f -> f != null, Throwable::getCause))
                        .filteredOn(MaybeAppliedException.class::isInstance)
                        .extracting(f -> ((MaybeAppliedException) f).key())
                        .containsExactly(requests.get(0).key));
        assertThat(requests).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void givesOutALargeSuccessWhole(Client client) {
        String large = "x".repeat(200_000);
        answer(201, large);

        assertThat(client.send(base, HttpMethod.POST, null).getBody()).isEqualTo(large);
    }

    @ParameterizedTest
    @EnumSource
    void givesOutAnEmptySuccess(Client client) {
        answer(204, "");

        assertThat(client.send(base, HttpMethod.POST, null).getStatusCode().value())
                .isEqualTo(204);
        assertThat(requests).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheOutcomeIsUnknown(Client client) {
        answer(504, "");

        assertThatThrownBy(() -> client.send(base, HttpMethod.POST, null))
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(MaybeAppliedException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(MaybeAppliedException.class));
        assertThat(requests).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatNothingWasAppliedWhenNothingListens(Client client) {
        server.stop(0);

        assertThatThrownBy(() -> client.send(base, HttpMethod.POST, null))
                .satisfies(failure -> assertThat(Stream.iterate(failure, f -> f != null, Throwable::getCause))
                        .hasAtLeastOneElementOfType(NotAppliedException.class));
    }

    @Test
    void aNewSubscriptionOfTheSameRequestIsANewOperation() {
        answer(201, "made");
        Mono<String> call = WebClient.builder()
                .filter(new IdempotentExchangeFilter(RETRIES, KeyFormat.BARE))
                .build()
                .post()
                .uri(base + "/charges")
                .retrieve()
                .bodyToMono(String.class);

        call.block();
        call.block();
        assertThat(requests.get(0).key).isNotEqualTo(requests.get(1).key);
    }

    /** An HTTP interface, as Spring implements it. */
    interface Charges {

        @PostExchange("/charges")
        String charge(@RequestBody String body);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void guardsAnHttpInterface(boolean reactive) {
        answer(503, "busy", "Retry-After", "0");
        answer(201, "made");
        Charges charges =
                reactive ? reactiveCharges(IdempotentRequests.builder()) : charges(IdempotentRequests.builder());

        assertThat(charges.charge("{\"amount\":1}")).isEqualTo("made");
        assertThat(requests)
                .hasSize(2)
                .extracting(Seen::key)
                .doesNotContainNull()
                .containsOnly(requests.get(0).key);
    }

    @Test
    void putsTheKeyIntoTheBody() {
        answer(503, "busy", "Retry-After", "0");
        answer(201, "made");

        charges(IdempotentRequests.builder().bodyMember("idempotency_key")).charge("{\"amount\":1}");
        assertThat(requests).hasSize(2).extracting(Seen::key).containsOnlyNulls();
        assertThat(requests.get(0).body)
                .matches("\\{\"idempotency_key\":\"[0-9a-f-]{36}\",\"amount\":1}")
                .isEqualTo(requests.get(1).body);
    }

    @Test
    void takesTheNameOfTheHeader() {
        answer(201, "made");

        charges(IdempotentRequests.builder().headerName("PayPal-Request-Id")).charge("{}");
        reactiveCharges(IdempotentRequests.builder().headerName("PayPal-Request-Id"))
                .charge("{}");
        assertThat(requests).extracting(Seen::key).containsOnlyNulls();
        assertThat(payPalKeys).hasSize(2).doesNotContain("null").doesNotHaveDuplicates();
    }

    @Test
    void aWebClientCannotPutTheKeyIntoTheBody() {
        IdempotentRequests inBody =
                IdempotentRequests.builder().bodyMember("idempotency_key").build();

        assertThatThrownBy(() -> new IdempotentExchangeFilter(inBody)).isInstanceOf(IllegalArgumentException.class);
    }

    private Charges reactiveCharges(IdempotentRequests.Builder keys) {
        WebClient client = WebClient.builder()
                .baseUrl(base)
                .filter(new IdempotentExchangeFilter(keys.retries(RETRIES).build()))
                .build();
        return HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
                .build()
                .createClient(Charges.class);
    }

    private Charges charges(IdempotentRequests.Builder keys) {
        RestClient client = RestClient.builder()
                .baseUrl(base)
                .defaultHeader("Content-Type", "application/json")
                .requestInterceptor(
                        new IdempotentRequestInterceptor(keys.retries(RETRIES).build()))
                .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(Charges.class);
    }
}
