package dev.semel.demo;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.gateway.proxy.ListenErrors;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The demo: the payments service, the gateway on SQLite and the console, all on the loopback. */
public final class Demo implements AutoCloseable {

    /** Short, so that the crash is noticed soon. */
    private static final String LEASE = "2s";

    /** Charges are found again in the ledger; a transfer needs a decision. */
    private static final String ROUTES = """
            routes:
              - path: /transfers
                operation: transfer
                recovery: hold
            """;

    private final Vertx vertx = Vertx.vertx();
    private final Path directory;
    private final PaymentsService payments = new PaymentsService(vertx);
    private final HttpServer service;
    private final OpenStore store;
    private final GatewayConfig config;
    private final Gateway gateway;

    private Demo(Path directory, int port, NarratedStore.Narrator narrator) throws IOException {
        this.directory = directory;
        this.service = Gateway.await(
                ListenErrors.on("127.0.0.1:" + (port + 2), "--port", payments.listen(port == 0 ? 0 : port + 2)));
        this.store = StoreUrls.open("sqlite:" + directory.resolve("demo.db"));
        this.config = config(port);
        this.gateway = Gateway.start("demo", config, new NarratedStore(store.keys(), narrator));
    }

    /** Starts everything, on this port and the two above it, or on free ones if it is 0. */
    public static Demo start(int port) throws IOException {
        return start(port, (key, mood, what) -> {});
    }

    static Demo start(int port, NarratedStore.Narrator narrator) throws IOException {
        return new Demo(Files.createTempDirectory("semel-demo"), port, narrator);
    }

    /**
     * Starts everything, and prints what each call does, in colour if the terminal supports it.
     *
     * @param ansi how to write in colour
     */
    public static Demo start(int port, PrintWriter out, UnaryOperator<String> ansi) throws IOException {
        return start(port, (key, mood, what) -> {
            String colour = switch (mood) {
                case GOOD -> "green";
                case SAFE -> "cyan";
                case BAD -> "red";
            };
            out.println(ansi.apply("@|faint " + LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS) + "|@ ")
                    + key + " " + ansi.apply("@|" + colour + " " + what + "|@"));
            out.flush();
        });
    }

    /**
     * Makes a transfer whose answer gets lost, under a policy that does not guess: its key waits for a person.
     *
     * @return the key
     */
    public String loseAnAnswer() throws IOException, InterruptedException {
        HttpRequest transfer = HttpRequest.newBuilder(URI.create(gatewayUrl() + "/transfers?crash=1"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "transfer-1")
                .POST(HttpRequest.BodyPublishers.ofString("{\"amount\": 250}"))
                .build();
        HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(transfer, HttpResponse.BodyHandlers.discarding());
        return "transfer-1";
    }

    private GatewayConfig config(int port) throws IOException {
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, serviceUrl())
                .putOption(Setting.LISTEN, "127.0.0.1:" + port)
                .putOption(Setting.ADMIN, "127.0.0.1:" + (port == 0 ? 0 : port + 1))
                .putOption(Setting.STORE, "sqlite:" + directory.resolve("demo.db"))
                .putOption(Setting.LEASE, LEASE)
                .putOption(Setting.RECOVERY, "reconcile")
                .putOption(Setting.RECONCILE_URL, serviceUrl() + "/reconcile")
                .putOption(Setting.DRAIN, "5s");
        Path file = Files.writeString(directory.resolve("demo.yaml"), ROUTES);
        return GatewayConfig.of(settings, YamlFile.read(file, settings));
    }

    public String serviceUrl() {
        return "http://127.0.0.1:" + service.actualPort();
    }

    public String gatewayUrl() {
        return "http://127.0.0.1:" + gateway.port();
    }

    /** The console, with the token that opens it. */
    public String consoleUrl() {
        return Objects.requireNonNull(config.admin()).link(gateway.adminPort());
    }

    long charges(String key) {
        return payments.charges(key);
    }

    @Override
    public void close() throws Exception {
        gateway.close();
        store.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
