package dev.semel.demo;

import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.proxy.ListenErrors;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The demo: the payments service, the gateway on SQLite and the console, all on the loopback. */
public final class Demo implements AutoCloseable {

    /** Short, so that nobody waits long for the crash to be noticed. */
    private static final String LEASE = "2s";

    private final Vertx vertx = Vertx.vertx();
    private final Path directory;
    private final PaymentsService payments = new PaymentsService(vertx);
    private final HttpServer service;
    private final OpenStore store;
    private final GatewayConfig config;
    private final Gateway gateway;

    private Demo(Path directory, int port) {
        this.directory = directory;
        this.service = Gateway.await(
                ListenErrors.on("127.0.0.1:" + (port + 2), "--port", payments.listen(port == 0 ? 0 : port + 2)));
        this.store = StoreUrls.open("sqlite:" + directory.resolve("demo.db"));
        this.config = config(port);
        this.gateway = Gateway.start("demo", config, store.keys());
    }

    /** Starts everything, on this port and the two above it, or on free ones if it is 0. */
    public static Demo start(int port) throws IOException {
        return new Demo(Files.createTempDirectory("semel-demo"), port);
    }

    private GatewayConfig config(int port) {
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, serviceUrl())
                .putOption(Setting.LISTEN, "127.0.0.1:" + port)
                .putOption(Setting.ADMIN, "127.0.0.1:" + (port == 0 ? 0 : port + 1))
                .putOption(Setting.STORE, "sqlite:" + directory.resolve("demo.db"))
                .putOption(Setting.LEASE, LEASE)
                .putOption(Setting.RECOVERY, "reconcile")
                .putOption(Setting.RECONCILE_URL, serviceUrl() + "/reconcile")
                .putOption(Setting.DRAIN, "5s");
        return GatewayConfig.of(settings, List.of());
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
