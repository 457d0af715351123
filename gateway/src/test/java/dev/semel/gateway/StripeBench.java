package dev.semel.gateway;

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

/** A stand-in for Stripe's API behind the gateway, and a bad network in front of it. */
final class StripeBench implements AutoCloseable {

    /** What the network does to a request. Stripe's libraries retry when no answer comes, and after some statuses. */
    enum Network {
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

    static final int READ_TIMEOUT = 1000;

    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "host", "content-length", "transfer-encoding", "upgrade", "http2-settings");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
    private final Map<String, Queue<Network>> plans = new ConcurrentHashMap<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private final HttpServer stripe;
    private final HttpServer network;
    private final TestGateway gateway;

    StripeBench() throws IOException {
        stripe = serve(this::charge);
        gateway = TestGateway.start(address(stripe), "scope", "credential", "dialect", "stripe");
        network = serve(this::forward);
    }

    /** Where clients connect. */
    URI uri() {
        return URI.create(address(network));
    }

    /** Says what the network does to the requests of an order, one after the other. */
    void plan(int order, List<Network> plan) {
        plans.put(Integer.toString(order), new ConcurrentLinkedQueue<>(plan));
    }

    int effects(int order) {
        return count(effects, order);
    }

    int attempts(int order) {
        return count(attempts, order);
    }

    private static int count(Map<String, AtomicInteger> counts, int order) {
        return counts.getOrDefault(Integer.toString(order), new AtomicInteger()).get();
    }

    @Override
    public void close() {
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

    private static String order(byte[] body) {
        return new String(body, StandardCharsets.UTF_8)
                .replaceAll(".*metadata(?:\\[|%5B)order(?:]|%5D)=([0-9]+).*", "$1");
    }

    /** Makes a payment for every request. */
    private void charge(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        String form = new String(body, StandardCharsets.UTF_8);
        String order = order(body);
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
        attempts.computeIfAbsent(order(body), first -> new AtomicInteger()).incrementAndGet();
        Queue<Network> plan = plans.getOrDefault(order(body), new ConcurrentLinkedQueue<>());
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
}
