package dev.semel.gateway.console;

import com.sun.net.httpserver.HttpServer;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A gateway in front of a small service, with a few thousand keys in its store. */
final class SeededGateway implements AutoCloseable {

    static final int SETTLED = 3_000;
    static final String SCOPE = "single";
    static final String OPERATION = "default";
    static final String SCRIPT =
            "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\"><b>bold</b>";

    private static final Retention DAY = Retention.of(Duration.ofDays(1));

    private final InMemoryKeyStore store = InMemoryKeyStore.create();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer upstream;
    private final GatewayConfig config;
    private final Gateway gateway;

    SeededGateway(String... adminToken) throws IOException {
        seed();
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = "{\"done\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        upstream.start();
        Settings settings = new Settings()
                .putOption(
                        Setting.UPSTREAM,
                        "http://127.0.0.1:" + upstream.getAddress().getPort())
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.ADMIN, "127.0.0.1:0")
                .putOption(Setting.STORE, "memory:")
                .putOption(Setting.DRAIN, "0s");
        if (adminToken.length > 0) {
            settings.putOption(Setting.ADMIN_TOKEN, adminToken[0]);
        }
        config = GatewayConfig.of(settings, List.of());
        gateway = Gateway.start("test", config, store);
    }

    private void seed() {
        for (int i = 0; i < SETTLED; i++) {
            settle(
                    "order-" + i,
                    Outcome.succeeded().contentType("application/json").payload("{\"order\":" + i + "}"));
        }
        settle("refused-1", Outcome.failed().contentType("text/plain").payload("no funds"));
        settle("script-1", Outcome.succeeded().contentType("text/html").payload(SCRIPT));
        Lease stepped = claim("stepped-1", OPERATION, Duration.ofHours(1));
        store.recordStep(stepped, "reserve", "rsv_7".getBytes(StandardCharsets.UTF_8))
                .toCompletableFuture()
                .join();
        store.settle(
                        stepped,
                        Outcome.succeeded()
                                .status(201)
                                .contentType("application/json")
                                .payload("{\"amount\":12345678901234567890,\"a\":[]}")
                                .build(),
                        DAY)
                .toCompletableFuture()
                .join();
        for (String name : List.of("unknown-1", "unknown-2", "unknown-3", "unknown-4")) {
            store.abandon(claim(name, OPERATION, Duration.ofHours(1)))
                    .toCompletableFuture()
                    .join();
        }
        // No policy is known for this operation, so that the engine leaves the key as it is.
        claim("lapsed-1", "retired", Duration.ofMillis(1));
    }

    private void settle(String name, Outcome.Builder outcome) {
        store.settle(
                        claim(name, OPERATION, Duration.ofHours(1)),
                        outcome.status(200).build(),
                        DAY)
                .toCompletableFuture()
                .join();
    }

    private Lease claim(String name, String operation, Duration lease) {
        ClaimRequest request = ClaimRequest.builder(Key.of(SCOPE, name), operation, Fingerprint.of(name))
                .lease(lease)
                .build();
        return ((Claim.Acquired) store.claim(request).toCompletableFuture().join()).lease();
    }

    /** Shows the browser's tab the link that the gateway prints when it starts. */
    void signIn(Browser browser) {
        browser.go(link());
        browser.see("#live", "live");
        browser.go("about:blank");
    }

    String link() {
        return config.admin().link(gateway.adminPort());
    }

    String console() {
        return "http://127.0.0.1:" + gateway.adminPort() + "/";
    }

    String keyPage(String name) {
        return console() + "#/keys/" + Key.of(SCOPE, name).digest();
    }

    String digest(String name) {
        return Key.of(SCOPE, name).digest().toString();
    }

    Optional<KeyRecord> find(String name) {
        return store.find(Key.of(SCOPE, name).digest()).toCompletableFuture().join();
    }

    /** Somebody else decides that the operation did not run. */
    void release(String name) {
        KeyRecord found = find(name).orElseThrow();
        store.resolve(found.key().digest(), found.token(), new Resolution.Release(), "elsewhere")
                .toCompletableFuture()
                .join();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(console() + path))
                .header("Authorization", "Bearer " + config.admin().token())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a protected request through the gateway. */
    HttpResponse<String> send(String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/orders"))
                .header("Idempotency-Key", '"' + key + '"')
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":1}"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a request through the gateway that needs no protection. */
    HttpResponse<String> read() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/orders"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        gateway.close();
        upstream.stop(0);
    }
}
