package dev.semel.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.examples.recipes.OfflineClient.Sent;
import dev.semel.policy.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineClientTest {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RecipeStore store = new RecipeStore();
    private final ExternalOperation<String> placeOrder =
            store.semel().operation(Policy.external("order").build(), OutcomeCodec.text());
    private final AtomicInteger orders = new AtomicInteger();
    private final Map<String, String> saved = new ConcurrentHashMap<>();
    private volatile boolean answers = true;
    private HttpServer server;
    private URI api;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", this::answer);
        server.start();
        api = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
    }

    @AfterEach
    void stop() {
        server.stop(0);
        store.close();
    }

    @Test
    void anOrderWhoseAnswerWasLostIsResumedAfterARestart() throws Exception {
        answers = false;
        try (OfflineClient app = app()) {
            assertThat(app.order("cart-1", "{}", "token")).isEqualTo(Sent.UNKNOWN);
        }
        answers = true;

        try (OfflineClient app = app()) {
            app.resume("new-token");
        }

        assertThat(saved).hasSize(1).containsValue("order 1");
        assertThat(orders).hasValue(1);
    }

    @Test
    void aCartThatIsSentTwiceIsOneOrder() throws Exception {
        try (OfflineClient app = app()) {
            assertThat(app.order("cart-1", "{}", "token")).isEqualTo(Sent.ANSWERED);
            assertThat(app.order("cart-1", "{}", "token")).isEqualTo(Sent.ANSWERED);
        }

        assertThat(orders).hasValue(1);
    }

    @Test
    void anOrderThatWasNeverSentStaysInTheCart() throws Exception {
        server.stop(0);

        try (OfflineClient app = app()) {
            assertThat(app.order("cart-1", "{}", "token")).isEqualTo(Sent.OFFLINE);
        }
    }

    private OfflineClient app() {
        return new OfflineClient(directory, api, PATIENCE, saved::put);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        String order = placeOrder
                .run(Key.of("app", key), Fingerprint.of(key), attempt -> "order " + orders.incrementAndGet())
                .get();
        if (answers) {
            byte[] body = order.getBytes(UTF_8);
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }
}
