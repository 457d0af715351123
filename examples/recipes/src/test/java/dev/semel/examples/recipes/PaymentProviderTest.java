package dev.semel.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.NotExecutedException;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.examples.recipes.PaymentProvider.CardDeclinedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaymentProviderTest {

    private final RecipeStore store = new RecipeStore();
    private final Map<String, String> charges = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 201;
    private HttpServer server;
    private PaymentProvider payments;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/charges", this::answer);
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        payments = new PaymentProvider(store.store(), uri);
    }

    @AfterEach
    void stop() {
        payments.close();
        server.stop(0);
        store.close();
    }

    @Test
    void aRetryGetsTheFirstCharge() throws Exception {
        String first = payments.charge("shop", "order-1", "4200");

        assertThat(payments.charge("shop", "order-1", "4200")).isEqualTo(first);
        assertThat(charges).hasSize(1);
    }

    @Test
    void aChargeWhoseAnswerWasLostIsFoundAtTheProvider() throws Exception {
        status = 0;
        assertThatThrownBy(() -> payments.charge("shop", "order-1", "4200"))
                .isInstanceOf(OutcomeUnknownException.class);
        store.endLeases();

        assertThat(payments.charge("shop", "order-1", "4200")).isEqualTo("charge 1");
        assertThat(charges).hasSize(1);
    }

    @Test
    void aDeclinedCardIsAnOutcome() {
        status = 402;
        assertThatThrownBy(() -> payments.charge("shop", "order-1", "4200")).isInstanceOf(CardDeclinedException.class);

        assertThatThrownBy(() -> payments.charge("shop", "order-1", "4200"))
                .isInstanceOf(OperationFailedException.class)
                .hasMessage("declined");
        assertThat(requests).hasValue(1);
    }

    @Test
    void aRequestThatWasNotSentMayBeSentAgain() throws Exception {
        InetSocketAddress address = server.getAddress();
        server.stop(0);
        assertThatThrownBy(() -> payments.charge("shop", "order-1", "4200")).isInstanceOf(NotExecutedException.class);

        server = HttpServer.create(address, 0);
        server.createContext("/charges", this::answer);
        server.start();

        assertThat(payments.charge("shop", "order-1", "4200")).isEqualTo("charge 1");
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            String key = exchange.getRequestURI().getQuery().substring("key=".length());
            String found = charges.get(key);
            send(exchange, found == null ? 404 : 200, found == null ? "" : found);
            return;
        }
        requests.incrementAndGet();
        if (status == 402) {
            send(exchange, 402, "declined");
            return;
        }
        String id = charges.computeIfAbsent(
                exchange.getRequestHeaders().getFirst("Idempotency-Key"), key -> "charge " + (charges.size() + 1));
        if (status == 0) {
            exchange.close();
            return;
        }
        send(exchange, 201, id);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
