package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.param.PaymentIntentCreateParams;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stripe's own Java library, with its own retries, through a bad network and the gateway to a stand-in for its API. */
class StripeSdkTest {

    /** What the network does to a request. The library retries when no answer comes, and after some statuses. */
    private enum Network {
        FINE,
        /** The request is lost. */
        LOSES_REQUEST,
        /** The answer is lost. */
        LOSES_ANSWER,
        /** A proxy gives up on the answer, and says so. */
        BAD_GATEWAY,
        /** Nothing comes back while the request is running, so that the retry meets it. */
        SILENT_MEANWHILE
    }

    private static final int READ_TIMEOUT = 1000;

    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "host", "content-length", "transfer-encoding", "upgrade", "http2-settings");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Queue<Network> plan = new ConcurrentLinkedQueue<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private HttpServer stripe;
    private HttpServer network;
    private TestGateway gateway;
    private StripeClient client;

    @BeforeEach
    void start() throws IOException {
        stripe = serve(this::charge);
        gateway = TestGateway.start(address(stripe), "scope", "credential");
        network = serve(this::forward);
        client = StripeClient.builder()
                .setApiKey("sk_test_1")
                .setApiBase(address(network))
                .setReadTimeout(READ_TIMEOUT)
                .setMaxNetworkRetries(6)
                .build();
    }

    @AfterEach
    void stop() {
        network.stop(0);
        gateway.close();
        stripe.stop(0);
        threads.shutdownNow();
    }

    private interface Handler {
        void handle(HttpExchange exchange, byte[] body) throws IOException, InterruptedException;
    }

    private HttpServer serve(Handler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange, exchange.getRequestBody().readAllBytes());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        return server;
    }

    private static String address(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Makes a payment for every request. */
    private void charge(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        String form = new String(body, StandardCharsets.UTF_8);
        String order = form.replaceAll(".*metadata(?:\\[|%5B)order(?:]|%5D)=([0-9]+).*", "$1");
        int number =
                effects.computeIfAbsent(order, first -> new AtomicInteger()).incrementAndGet();
        if (form.contains("slow")) {
            Thread.sleep(2 * READ_TIMEOUT);
        }
        byte[] answer = ("{\"id\": \"pi_" + order + "_" + number
                        + "\", \"object\": \"payment_intent\", \"amount\": 2000}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Request-Id", "req_" + order);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
    }

    private void forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        attempts.incrementAndGet();
        Network does = plan.isEmpty() ? Network.FINE : plan.remove();
        if (does == Network.LOSES_REQUEST) {
            never.await();
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.gateway.port() + exchange.getRequestURI()))
                .timeout(Duration.ofSeconds(60))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!HOP_BY_HOP.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        CompletableFuture<HttpResponse<byte[]>> forwarded = http.sendAsync(request.build(), BodyHandlers.ofByteArray());
        if (does == Network.SILENT_MEANWHILE) {
            never.await();
        }
        HttpResponse<byte[]> response = forwarded.join();
        if (does == Network.LOSES_ANSWER) {
            never.await();
        }
        if (does == Network.BAD_GATEWAY) {
            byte[] page = "Bad Gateway".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(502, page.length);
            exchange.getResponseBody().write(page);
            return;
        }
        response.headers().map().forEach((name, values) -> {
            if (!HOP_BY_HOP.contains(name)) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        exchange.sendResponseHeaders(response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
        exchange.getResponseBody().write(response.body());
    }

    private PaymentIntent pay(int order, String description) throws StripeException {
        return client.v1()
                .paymentIntents()
                .create(PaymentIntentCreateParams.builder()
                        .setAmount(2000L)
                        .setCurrency("eur")
                        .setDescription(description)
                        .putMetadata("order", Integer.toString(order))
                        .build());
    }

    @Test
    void hasOneEffectPerCall() throws StripeException {
        List<List<Network>> plans = List.of(
                List.of(Network.FINE),
                List.of(Network.LOSES_REQUEST),
                List.of(Network.LOSES_ANSWER),
                List.of(Network.LOSES_ANSWER, Network.LOSES_REQUEST, Network.BAD_GATEWAY),
                List.of(Network.SILENT_MEANWHILE));
        for (int order = 0; order < plans.size(); order++) {
            plan.clear();
            plan.addAll(plans.get(order));
            attempts.set(0);
            PaymentIntent made = pay(order, plans.get(order).contains(Network.SILENT_MEANWHILE) ? "slow" : "quick");

            assertThat(made.getId()).isEqualTo("pi_" + order + "_1");
            assertThat(effects.get(Integer.toString(order))).hasValue(1);
            assertThat(attempts.get()).isGreaterThan(plans.get(order).contains(Network.FINE) ? 0 : 1);
        }
        assertThat(effects).hasSize(plans.size());
    }

    @Test
    void twoCallsAreTwoEffects() throws StripeException {
        assertThat(pay(1, "quick").getId()).isEqualTo("pi_1_1");
        assertThat(pay(1, "quick").getId()).isEqualTo("pi_1_2");
    }
}
