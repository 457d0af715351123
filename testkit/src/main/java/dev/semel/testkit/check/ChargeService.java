package dev.semel.testkit.check;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.check.CheckTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A service that charges for every request that reaches it, to be put behind something that makes it safe to retry: as a
 * handler inside another server, or as a separate server. It counts its charges, and can be slow and fail.
 */
public final class ChargeService implements AutoCloseable {

    private static final Duration SLOW = Duration.ofMillis(1500);

    /** An answer, and how long it takes. */
    public record Charge(int status, Map<String, String> headers, String body, Duration delay) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final AtomicInteger charges = new AtomicInteger();

    private ChargeService(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public static ChargeService start() {
        try {
            return new ChargeService(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of this service, without protection. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * The target of a check behind a server at this address, which ends with a slash: {@code charges} and {@code
     * refunds}. The server identifies callers by a bearer token: the part before the dot is the caller's name.
     */
    public CheckTarget.Builder target(URI base) {
        return CheckTarget.builder(base.resolve("charges"))
                .otherUri(base.resolve("refunds"))
                .effectsUri(uri() + "/effects?{key}")
                .slowHeader("X-Slow", "yes")
                .errorHeader("X-Fail", "yes")
                .badBody("{\"amount\": \"bad\"}")
                .callerA("Authorization", "Bearer alice.1")
                .callerB("Authorization", "Bearer bob.1");
    }

    /** Makes a charge. {@code header} finds a header of the request by its name. */
    public Charge charge(HeaderFinder header, String body) {
        // In quotes: a key in the body may have these letters too.
        if (body.contains("\"bad\"")) {
            return new Charge(400, Map.of("Content-Type", "application/json"), "{\"error\": 1}", Duration.ZERO);
        }
        String key = header.find("Idempotency-Key");
        effects.computeIfAbsent(bare(key == null ? "" : key), first -> new AtomicInteger())
                .incrementAndGet();
        Duration delay = header.find("X-Slow") == null ? Duration.ZERO : SLOW;
        int number = charges.incrementAndGet();
        if (header.find("X-Fail") != null) {
            return new Charge(500, Map.of("Content-Type", "text/plain"), "failed at " + number, delay);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Location", "/charges/ch_" + number);
        headers.put("Set-Cookie", "session=" + number);
        return new Charge(201, headers, "{\"id\": \"ch_" + number + "\",  \"status\": \"paid\"}", delay);
    }

    /** Finds the value of a header of the request, or {@code null}. */
    @FunctionalInterface
    public interface HeaderFinder {
        @Nullable
        String find(String name);
    }

    private static String bare(String field) {
        return field.startsWith("\"") ? field.substring(1, field.lastIndexOf('"')) : field;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                String key = String.valueOf(exchange.getRequestURI().getQuery());
                int count = effects.getOrDefault(key, new AtomicInteger()).get();
                write(exchange, new Charge(200, Map.of(), Integer.toString(count), Duration.ZERO));
                return;
            }
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Charge charge = charge(exchange.getRequestHeaders()::getFirst, body);
            Thread.sleep(charge.delay().toMillis());
            write(exchange, charge);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(HttpExchange exchange, Charge charge) throws IOException {
        charge.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = charge.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(charge.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
