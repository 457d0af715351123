package dev.semel.check;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A payments service that handles retries by hand: rightly, or with one fault. */
final class SampleApi implements AutoCloseable {

    private static final int MAX_KEY = 255;
    private static final int STALE_MILLIS = 100;

    private record Stored(int status, String body, Map<String, String> headers) {}

    /** A key: claimed, and later settled. */
    private static final class Entry {
        final String fingerprint;
        final long claimedAt = System.nanoTime();
        volatile Stored stored;

        Entry(String fingerprint) {
            this.fingerprint = fingerprint;
        }
    }

    private final Fault fault;
    private final long retentionMillis;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final AtomicInteger charges = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();

    SampleApi(Fault fault) throws IOException {
        this(fault, Long.MAX_VALUE);
    }

    SampleApi(Fault fault, long retentionMillis) throws IOException {
        this.fault = fault;
        this.retentionMillis = retentionMillis;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                handle(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /** How many requests have arrived. */
    int requests() {
        return requests.get();
    }

    private void handle(HttpExchange exchange) throws IOException, InterruptedException {
        if (exchange.getRequestMethod().equals("GET")) {
            String key = exchange.getRequestURI().getQuery();
            write(exchange, new Stored(200, count(key) + "\n", Map.of()), false);
            return;
        }
        guarded(exchange, new String(body(exchange.getRequestBody()), StandardCharsets.UTF_8));
    }

    private byte[] body(InputStream in) throws IOException {
        if (fault != Fault.RUNS_HALF_A_BODY) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                body.write(b);
            }
        } catch (IOException theClientHasLeft) {
            // That is the fault.
        }
        return body.toByteArray();
    }

    private int count(String key) {
        return effects.getOrDefault(key, new AtomicInteger()).get();
    }

    private void guarded(HttpExchange exchange, String body) throws IOException, InterruptedException {
        List<String> lines = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        if (lines.isEmpty()) {
            if (fault == Fault.KEY_OPTIONAL) {
                write(exchange, run(exchange, "", body), false);
            } else {
                refuse(exchange, 400, "key-missing");
            }
            return;
        }
        if (lines.size() > 1 && fault != Fault.FIRST_OF_TWO_KEYS) {
            refuse(exchange, 400, "key-invalid");
            return;
        }
        String key = key(lines.get(0));
        if (key == null) {
            refuse(exchange, 400, "key-invalid");
            return;
        }
        claimed(exchange, key, body);
    }

    /** The key in a field, or {@code null} if there is none. */
    private String key(String field) {
        String value = field.strip();
        String key;
        if (fault == Fault.QUOTES_COUNT) {
            key = value;
        } else if (fault == Fault.SLOPPY_QUOTES && value.startsWith("\"")) {
            key = value.replaceAll("^\"|\"(;.*)?$", "");
        } else if (value.startsWith("\"")) {
            if (!value.matches("\"[^\"\\\\]*\"(;.*)?")) {
                return null;
            }
            key = fault == Fault.PARAMETERS_COUNT ? value : value.substring(1, value.lastIndexOf('"'));
        } else {
            key = value;
        }
        if (key.isEmpty() && fault != Fault.EMPTY_KEY_ACCEPTED) {
            return null;
        }
        if (key.length() > MAX_KEY) {
            return fault == Fault.KEY_CUT ? key.substring(0, MAX_KEY) : null;
        }
        return key;
    }

    private void claimed(HttpExchange exchange, String key, String body) throws IOException, InterruptedException {
        String scope = exchange.getRequestHeaders().getFirst("Authorization");
        boolean shared = fault == Fault.UNSCOPED || fault == Fault.LEAKS_EXISTENCE;
        String name = (shared ? "" : scope + " ") + key;
        String path =
                fault == Fault.PATH_IGNORED ? "" : exchange.getRequestURI().getPath();
        String print = path + (fault == Fault.LEAKS_EXISTENCE ? scope : "") + canonical(body);
        if (fault == Fault.CHECK_THEN_ACT) {
            Entry known = entries.get(name);
            if (known == null) {
                Entry entry = new Entry(print);
                entry.stored = run(exchange, key, body);
                entries.put(name, entry);
                write(exchange, entry.stored, false);
            } else {
                duplicate(exchange, name, known, print);
            }
            return;
        }
        Entry mine = new Entry(print);
        Entry known = entries.putIfAbsent(name, mine);
        if (known != null && isOver(known)) {
            known = entries.replace(name, known, mine) ? null : entries.get(name);
        }
        if (known != null) {
            duplicate(exchange, name, known, print);
            return;
        }
        Stored answer = run(exchange, key, body);
        settle(name, mine, answer);
        write(exchange, answer, false);
    }

    private boolean isOver(Entry entry) {
        long ageMillis = (System.nanoTime() - entry.claimedAt) / 1_000_000;
        return entry.stored == null
                ? fault == Fault.DELETES_LIVE_CLAIM && ageMillis > STALE_MILLIS
                : ageMillis > retentionMillis;
    }

    private void settle(String name, Entry mine, Stored answer) {
        if (answer.status >= 500 && fault == Fault.ERRORS_NOT_STORED) {
            entries.remove(name);
        } else if (answer.status < 500 || fault != Fault.NEVER_RELEASED) {
            mine.stored = answer;
        }
    }

    private void duplicate(HttpExchange exchange, String name, Entry known, String print)
            throws IOException, InterruptedException {
        boolean running = known.stored == null;
        if (running && fault == Fault.BUSY_BEFORE_MISMATCH) {
            refuse(exchange, 409, "in-flight");
        } else if (!known.fingerprint.equals(print) && fault != Fault.BODY_IGNORED) {
            refuse(exchange, 422, "key-reused");
        } else if (running) {
            if (fault == Fault.BLOCKS_FOREVER) {
                never.await();
            }
            refuse(exchange, 409, "in-flight");
        } else {
            if (fault == Fault.FORGETS_AFTER_REPLAY) {
                entries.remove(name);
            }
            write(exchange, known.stored, true);
        }
    }

    private String canonical(String body) {
        String inner = body.strip().replaceAll("^\\{|}$", "");
        if (fault == Fault.SPACE_COUNTS) {
            String[] members = inner.split(",");
            Arrays.sort(members);
            return String.join(",", members);
        }
        String[] members = inner.replaceAll("\\s", "").split(",");
        if (fault != Fault.ORDER_COUNTS) {
            Arrays.sort(members);
        }
        return String.join(",", members);
    }

    private Stored run(HttpExchange exchange, String key, String body) throws InterruptedException {
        Headers headers = exchange.getRequestHeaders();
        if (body.contains("\"bad\"")) {
            return new Stored(400, "{\"error\": \"bad\"}", Map.of("Content-Type", "application/json"));
        }
        effects.computeIfAbsent(key.replace("\"", ""), first -> new AtomicInteger())
                .incrementAndGet();
        if (headers.containsKey("X-Slow")) {
            Thread.sleep(Long.parseLong(headers.getFirst("X-Slow")));
        } else if (fault == Fault.CHECK_THEN_ACT) {
            Thread.sleep(50);
        }
        int number = charges.incrementAndGet();
        if (headers.containsKey("X-Fail")) {
            return new Stored(500, "failed at " + number, Map.of("Content-Type", "text/plain"));
        }
        return new Stored(
                201,
                "{\"id\": \"ch_" + number + "\",  \"status\": \"paid\"}",
                Map.of(
                        "Content-Type",
                        "application/json",
                        "Location",
                        "/charges/ch_" + number,
                        "Set-Cookie",
                        "session=" + number));
    }

    private void refuse(HttpExchange exchange, int status, String type) throws IOException {
        boolean plain = fault == Fault.PLAIN_REFUSAL;
        if (status == 409 && fault != Fault.NO_RETRY_AFTER) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        Map<String, String> contentType = Map.of("Content-Type", plain ? "text/plain" : "application/problem+json");
        write(
                exchange,
                new Stored(status, plain ? type : "{\"type\": \"urn:sample:" + type + "\"}", contentType),
                false);
    }

    private void write(HttpExchange exchange, Stored answer, boolean replay) throws IOException {
        String body = answer.body;
        int status = answer.status;
        if (!replay || fault != Fault.HEADERS_LOST) {
            answer.headers.forEach((name, value) -> {
                if (!replay || !name.equals("Set-Cookie") || fault == Fault.COOKIE_REPLAYED) {
                    exchange.getResponseHeaders().set(name, value);
                }
            });
        }
        if (replay) {
            if (fault != Fault.NO_MARKER) {
                exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            }
            boolean refused = status >= 400 && status < 500;
            status =
                    fault == Fault.STATUS_LOST || (refused && fault == Fault.REFUSAL_TURNS_INTO_SUCCESS) ? 200 : status;
            body = fault == Fault.EMPTY_REPLAY ? "" : fault == Fault.RESERIALISED ? body.replaceAll("\\s", "") : body;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
