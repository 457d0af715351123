package dev.semel.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.semel.client.NotAppliedException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an HTTP destination sends, and what it makes of the answer. */
class HttpDestinationTest {

    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private final Map<String, String> headers = new ConcurrentHashMap<>();
    private volatile String body = "";
    private volatile int status = 204;
    private HttpDestination destination;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + exchange.getRequestHeaders().getFirst("Trace") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            headers.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
            if (!body.isEmpty()) {
                exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            }
            exchange.close();
        });
        server.createContext("/status", exchange -> {
            asked.incrementAndGet();
            exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/events");
        destination = HttpDestination.of(HttpClient.newHttpClient(), uri, Duration.ofSeconds(30));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void deliver(OutboxMessage message) {
        destination
                .deliver(Delivery.of(1, message, 1, Duration.ZERO))
                .toCompletableFuture()
                .join();
    }

    @Test
    void sendsTheKeyAsAStructuredField() {
        deliver(OutboxMessage.of("shop", "{}")
                .withKey("a\"b\\c")
                .withContentType("application/json")
                .withHeader("Trace", "t1"));

        assertThat(received).containsExactly("\"a\\\"b\\\\c\" application/json t1 {}");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308, 409, 429, 500, 503})
    void triesAgainWhatMayPass(int answer) {
        status = answer;
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x")))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isNotInstanceOf(UndeliverableException.class)
                .hasMessageContaining("" + answer);
        assertThat(received).hasSize(1);
    }

    @Test
    void triesAgainWhatCouldNotBeSent() {
        server.stop(0);
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x")))
                .cause()
                .isInstanceOf(NotAppliedException.class);
    }

    @Test
    void triesAgainNotBeforeTheReceiverSaysSo() {
        status = 429;
        headers.put("Retry-After", "7");
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x")))
                .cause()
                .isInstanceOfSatisfying(
                        RetryLaterException.class,
                        later -> assertThat(later.after()).hasSeconds(7));
    }

    @Test
    void givesUpWhatTheReceiverHasStoredAsAFailure() {
        status = 500;
        headers.put("X-Idempotency-Replayed", "true");
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x")))
                .cause()
                .isInstanceOf(UndeliverableException.class)
                .hasMessageContaining("stored");
    }

    @Test
    void asksForTheOutcomeOfWhatTheReceiverStillWorksOn() {
        status = 202;
        headers.put("Location", "/status");
        headers.put("Retry-After", "0");
        headers.put("Content-Type", "application/problem+json");
        body = "{\"outcome\": \"pending\"}";

        deliver(OutboxMessage.of("shop", "x"));

        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void givesUpWhatWillNot(int answer) {
        status = answer;
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x")))
                .cause()
                .isInstanceOf(UndeliverableException.class);
        assertThatThrownBy(() -> deliver(OutboxMessage.of("shop", "x").withHeader("Content-Length", "1")))
                .isInstanceOf(UndeliverableException.class);
    }
}
