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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The card processor and the mail service, whose ledger outlives the payment service. They deny requests, lose answers,
 * answer late and are away for moments. A charge and a mail happen once per key; a refund and a payout with every request.
 */
final class SoakProcessor implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, String> byKey = new ConcurrentHashMap<>();
    private final Map<String, List<String>> ledger = new ConcurrentHashMap<>();
    private volatile boolean troubled = true;
    private volatile boolean away;

    SoakProcessor() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void away(boolean isAway) {
        away = isAway;
    }

    /** From now on every request is carried out and answered. */
    void calmDown() {
        troubled = false;
        away = false;
    }

    /** The ids of the effects of this kind for the customer or order. */
    List<String> effects(String what, String whose) {
        return ledger.getOrDefault(what + " " + whose, List.of());
    }

    /** A request is {@code /<what>/<whose>/<key>}; what is known of one is {@code /find/<what>/<key>}. */
    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String[] parts = exchange.getRequestURI().getPath().split("/");
            if (parts[1].equals("find")) {
                String found = byKey.get(parts[2] + " " + parts[3]);
                answer(exchange, found == null ? 404 : 200, found == null ? "" : found);
                return;
            }
            int trouble = away ? 0 : troubled ? ThreadLocalRandom.current().nextInt(100) : 100;
            if (trouble < 5) {
                return;
            }
            if (trouble < 12) {
                answer(exchange, trouble < 9 ? 403 : 429, "not now");
                return;
            }
            if (trouble < 20) {
                pause();
            }
            if (parts[1].equals("charge") && parts[2].endsWith("0000")) {
                answer(exchange, 402, "declined");
                return;
            }
            String number = act(parts[1], parts[2], parts[3]);
            if (trouble < 25) {
                pause();
            } else if (trouble < 33) {
                return;
            }
            answer(exchange, 200, number);
        }
    }

    private String act(String what, String whose, String key) {
        if (what.equals("charge") || what.equals("mail")) {
            return byKey.computeIfAbsent(what + " " + key, first -> write(what, whose));
        }
        String number = write(what, whose);
        byKey.put(what + " " + key, number);
        return number;
    }

    private String write(String what, String whose) {
        String number = what + "_" + UUID.randomUUID();
        ledger.computeIfAbsent(what + " " + whose, first -> new CopyOnWriteArrayList<>())
                .add(number);
        return number;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** Often longer than the payment service waits for its handlers. */
    private static void pause() throws IOException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(300, 2500));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
