package dev.semel.check;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.check.CheckTarget.HeaderLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that speaks a dialect: rightly, or with one fault. */
final class DialectApi implements AutoCloseable {

    private static final class Entry {
        final String body;
        volatile String answer;

        Entry(String body) {
            this.body = body;
        }
    }

    private final ApiDialect dialect;
    private final DialectFault fault;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicInteger charges = new AtomicInteger();

    DialectApi(ApiDialect dialect, DialectFault fault) throws IOException {
        this.dialect = dialect;
        this.fault = fault;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                handle(exchange, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/charges");
    }

    private void handle(HttpExchange exchange, String body) throws IOException, InterruptedException {
        String key = key(exchange, body);
        if (key == null) {
            boolean refuses = (dialect.missing != null) != (fault == DialectFault.KEY_RULE_TURNED_ROUND)
                    && fault != DialectFault.OTHER_CARRIER;
            if (refuses) {
                refuse(exchange, dialect.missing == null ? new ApiDialect.Refusal(400, List.of()) : dialect.missing);
            } else {
                write(exchange, 201, run(exchange));
            }
            return;
        }
        if (dialect.maxKeyLength > 0 && key.length() > dialect.maxKeyLength && fault != DialectFault.LONG_KEYS) {
            refuse(exchange, new ApiDialect.Refusal(400, List.of()));
            return;
        }
        Entry mine = new Entry(body.replaceAll("\\s", ""));
        Entry known = entries.putIfAbsent(key, mine);
        if (known == null) {
            mine.answer = run(exchange);
            marked(exchange, key, fault == DialectFault.MARKS_THE_FIRST);
            write(exchange, 201, mine.answer);
        } else if (!known.body.equals(mine.body) && fault != DialectFault.MISMATCH_LOOKS_LIKE_SUCCESS) {
            refuse(
                    exchange,
                    fault == DialectFault.MISMATCH_STATUS
                            ? new ApiDialect.Refusal(418, dialect.mismatch.parts())
                            : fault == DialectFault.MISMATCH_BODY
                                    ? new ApiDialect.Refusal(dialect.mismatch.status(), List.of())
                                    : dialect.mismatch);
        } else if (known.answer == null) {
            if (fault != DialectFault.NO_RETRY_AFTER) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            refuse(
                    exchange,
                    fault == DialectFault.IN_FLIGHT_STATUS
                            ? new ApiDialect.Refusal(425, dialect.inFlight.parts())
                            : fault == DialectFault.IN_FLIGHT_BODY
                                    ? new ApiDialect.Refusal(dialect.inFlight.status(), List.of())
                                    : dialect.inFlight);
        } else {
            marked(exchange, key, fault != DialectFault.NO_MARK);
            write(exchange, 201, known.answer);
        }
    }

    private String key(HttpExchange exchange, String body) {
        if (fault == DialectFault.OTHER_CARRIER) {
            return exchange.getRequestHeaders().getFirst("X-Other-Key");
        }
        if (dialect.keyMember == null) {
            return exchange.getRequestHeaders().getFirst(dialect.keyHeader);
        }
        Matcher member = Pattern.compile("\"" + dialect.keyMember + "\"\\s*:\\s*\"([^\"]*)\"")
                .matcher(body);
        return member.find() ? member.group(1) : null;
    }

    private void marked(HttpExchange exchange, String key, boolean mark) {
        if (mark) {
            dialect.markers.forEach(name -> exchange.getResponseHeaders().set(name, "true"));
        }
        if (fault != DialectFault.NO_RESULT_HEADER) {
            for (HeaderLine line : dialect.resultHeaders) {
                exchange.getResponseHeaders().set(line.name(), line.value().replace("{key}", key));
            }
        }
    }

    private String run(HttpExchange exchange) throws InterruptedException {
        if (exchange.getRequestHeaders().containsKey("X-Slow")) {
            Thread.sleep(1200);
        }
        return "{\"id\": \"ch_" + charges.incrementAndGet() + "\"}";
    }

    private void refuse(HttpExchange exchange, ApiDialect.Refusal refusal) throws IOException {
        write(
                exchange,
                refusal.status(),
                "{ \"message\" : \"no\", " + String.join(" , ", refusal.parts()).replace(":", " : ") + "}");
    }

    private void write(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
