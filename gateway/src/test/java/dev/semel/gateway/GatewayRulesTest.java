package dev.semel.gateway;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.RuleEndpoint;
import dev.semel.testkit.http.RulesConformance;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The rules of single operations as routes of a gateway, configured by a file. */
class GatewayRulesTest extends RulesConformance {

    private static final SampleService SERVICE = new SampleService();
    private static final SwitchableStore STORE = new SwitchableStore(InMemoryKeyStore.create());
    /** Where the gateway asks whether a caller may still see what is stored. */
    private static final String RIGHTS = "/rights";

    private static Vertx vertx;
    private static Gateway gateway;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        vertx = Vertx.vertx();
        HttpServer server = Gateway.await(vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> serve(request)))
                .listen(0, "127.0.0.1"));
        Path keys = Secrets.write(
                directory.resolve("digest.keys"), "one:" + Base64.getEncoder().encodeToString(new byte[32]) + "\n");
        String upstream = "http://127.0.0.1:" + server.actualPort();
        Settings settings = new Settings().putOption(Setting.UPSTREAM, upstream);
        Path file = Files.writeString(directory.resolve("gateway.yaml"), yaml(keys, upstream));
        gateway = Gateway.start("test", GatewayConfig.of(settings, YamlFile.read(file, settings)), STORE, request -> {
            String authorization = request.getHeader("Authorization");
            return authorization == null
                    ? null
                    : authorization.substring("Bearer ".length(), authorization.indexOf('.'));
        });
    }

    private static String yaml(Path keys, String upstream) {
        StringBuilder yaml = new StringBuilder("""
                listen: 127.0.0.1:0
                admin: "off"
                require-key: true
                status-path: %s
                digest-keys: %s
                routes:
                """.formatted(Endpoint.STATUS_PATH, keys));
        for (RuleEndpoint endpoint : RuleEndpoint.values()) {
            yaml.append("  - path: ").append(endpoint.path()).append("/**\n");
            set(yaml, "operation", endpoint.operation());
            set(yaml, "key-from", "['" + String.join("', '", endpoint.keyFrom()) + "']");
            set(yaml, "key-format", endpoint.keyFormat());
            set(yaml, "respond-async", endpoint.respondAsync());
            set(yaml, "never-store", "[" + String.join(", ", endpoint.neverStore()) + "]");
            if (endpoint == RuleEndpoint.WITHDRAWN) {
                set(yaml, "replay-check-url", upstream + RIGHTS);
            }
            endpoint.keyMaxAge().ifPresent(age -> set(yaml, "key-max-age", age.toSeconds() + "s"));
        }
        return yaml.toString();
    }

    private static void set(StringBuilder yaml, String name, Object value) {
        yaml.append("    ").append(name).append(": ").append(value).append('\n');
    }

    private static void serve(HttpServerRequest request) {
        if (request.path().equals(RIGHTS)) {
            boolean withdrawn = request.getHeader("Authorization").endsWith(RuleEndpoint.WITHDRAWN_TOKEN);
            request.response().setStatusCode(withdrawn ? 403 : 204).end();
            return;
        }
        CompletionStage<SampleResponse> response;
        try {
            response = SERVICE.respond(new SampleRequest(
                    request.path(), request.query(), String.valueOf(request.getHeader(SampleRequest.CASE))));
        } catch (IllegalStateException e) {
            request.response().setStatusCode(500).end("it broke");
            return;
        }
        response.thenAccept(made -> vertx.runOnContext(now -> {
            request.response().setStatusCode(made.status());
            made.headers().forEach(header -> request.response().putHeader(header.name(), header.value()));
            request.response().end(Buffer.buffer(made.chunks().get(0)));
        }));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        Gateway.await(vertx.close());
    }

    @Override
    protected URI baseUri() {
        return URI.create("http://127.0.0.1:" + gateway.port() + "/");
    }

    @Override
    protected SampleService service() {
        return SERVICE;
    }

    @Override
    protected SwitchableStore store() {
        return STORE;
    }
}
