package dev.semel.gateway;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A gateway on free ports of the loopback, and a client of it. */
public final class TestGateway implements AutoCloseable {

    public final Gateway gateway;
    private final GatewayConfig config;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestGateway(Gateway gateway, GatewayConfig config) {
        this.gateway = gateway;
        this.config = config;
    }

    /** Options are written as on the command line, without dashes: {@code "lease", "1s"}. */
    public static TestGateway start(String upstream, String... options) {
        return start(InMemoryKeyStore.create(), upstream, options);
    }

    public static TestGateway start(KeyStore store, String upstream, String... options) {
        GatewayConfig config = config(upstream, options);
        return new TestGateway(Gateway.start("test", config, store), config);
    }

    public static GatewayConfig config(String upstream, String... options) {
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, upstream)
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.ADMIN, "127.0.0.1:0")
                .putOption(Setting.DRAIN, "5s")
                .putOption(Setting.EVENT_LOOPS, "2");
        for (int i = 0; i < options.length; i += 2) {
            String key = options[i];
            settings.putOption(
                    List.of(Setting.values()).stream()
                            .filter(setting -> setting.key().equals(key))
                            .findFirst()
                            .orElseThrow(),
                    options[i + 1]);
        }
        return GatewayConfig.of(settings, List.of());
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + gateway.port() + path);
    }

    public URI adminUri(String path) {
        return URI.create("http://127.0.0.1:" + gateway.adminPort() + path);
    }

    /** What opens the admin address; unless a test sets one of its own, {@link #send} shows it there. */
    public String adminToken() {
        return config.admin().token();
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).GET());
    }

    public HttpResponse<String> admin(String path) {
        return send(HttpRequest.newBuilder(adminUri(path)).GET());
    }

    public HttpResponse<String> post(String path, String key, String body, String... headers) {
        return send(request(path, key, body, headers));
    }

    public CompletableFuture<HttpResponse<String>> postAsync(String path, String key, String body, String... headers) {
        return client.sendAsync(request(path, key, body, headers).build(), BodyHandlers.ofString());
    }

    public HttpRequest.Builder request(String path, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request;
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            HttpRequest built = request.build();
            if (config.admin() != null
                    && config.admin().generated()
                    && built.uri().getPort() == gateway.adminPort()) {
                built = request.setHeader("Authorization", "Bearer " + adminToken())
                        .build();
            }
            return client.send(built, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        gateway.close();
    }
}
