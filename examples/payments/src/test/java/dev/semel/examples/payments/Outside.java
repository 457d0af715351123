package dev.semel.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The card processor and the mail service, in a process that outlives the payment service: each acts once per key. */
final class Outside implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final List<String> effects = new CopyOnWriteArrayList<>();

    Outside() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    /** A request is {@code /<what>/<whose>/<key>}. */
    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] parts = exchange.getRequestURI().getPath().split("/");
            String answer = answers.computeIfAbsent(parts[1] + parts[3], first -> {
                effects.add(parts[1] + " " + parts[2]);
                return parts[1] + "_" + UUID.randomUUID();
            });
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many effects of this kind the customer or order has. */
    long effects(String what, String whose) {
        return effects.stream().filter((what + " " + whose)::equals).count();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
