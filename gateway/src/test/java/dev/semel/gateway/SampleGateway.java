package dev.semel.gateway;

import dev.semel.Header;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.GatewayConfig.RouteSection;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.gateway.config.YamlFile;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.ExpectedDialect;
import dev.semel.testkit.http.ExpectedWebhook;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import dev.semel.testkit.http.SwitchableStore;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The sample application behind a gateway that is configured by a file. */
final class SampleGateway implements AutoCloseable {

    final SampleService service = new SampleService();
    final SwitchableStore store = new SwitchableStore(InMemoryKeyStore.create());
    private final Vertx vertx;
    private final Gateway gateway;

    SampleGateway(Path directory) throws IOException {
        vertx = Vertx.vertx();
        HttpServer server = Gateway.await(vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> serve(request)))
                .listen(0, "127.0.0.1"));
        Path secrets = Secrets.write(directory.resolve("webhook.txt"), ExpectedWebhook.SECRET + "\n");
        Settings settings = new Settings().putOption(Setting.UPSTREAM, "http://127.0.0.1:" + server.actualPort());
        List<RouteSection> routes =
                YamlFile.read(Files.writeString(directory.resolve("gateway.yaml"), yaml(secrets)), settings);
        gateway = Gateway.start("test", GatewayConfig.of(settings, routes), store, request -> {
            String authorization = request.getHeader("Authorization");
            return authorization == null
                    ? null
                    : authorization.substring("Bearer ".length(), authorization.indexOf('.'));
        });
    }

    private static String yaml(Path secrets) {
        StringBuilder yaml = new StringBuilder("""
                listen: 127.0.0.1:0
                admin: "off"
                status-path: %s
                documentation: %s
                routes:
                """.formatted(Endpoint.STATUS_PATH, Endpoint.DOCUMENTATION));
        for (Endpoint endpoint : Endpoint.values()) {
            Policy policy = endpoint.policy();
            yaml.append("  - path: ").append(endpoint.path()).append("/**\n");
            set(yaml, "require-key", endpoint.keyRequired());
            set(yaml, "strict-key", endpoint.strictHeader());
            set(yaml, "publish-expiry", endpoint.publishExpiry());
            set(yaml, "lease", policy.lease().toMillis() + "ms");
            set(yaml, "retention", policy.retention().active().toMillis() + "ms");
            set(yaml, "tombstone", policy.retention().tombstone().toMillis() + "ms");
            set(yaml, "max-response", policy.maxPayload());
            set(yaml, "store-down", policy.whenStoreIsDown().name().toLowerCase(Locale.ROOT));
            set(
                    yaml,
                    "recovery",
                    policy.recovery().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            if (!endpoint.ignoredFields().isEmpty()) {
                set(yaml, "fields", "[-" + String.join(", -", endpoint.ignoredFields()) + "]");
            }
            if (policy.duplicates() instanceof Duplicates.Wait wait) {
                set(yaml, "duplicates", "wait");
                set(yaml, "wait", wait.limit().toMillis() + "ms");
            } else {
                set(yaml, "duplicates", policy.duplicates() instanceof Duplicates.Accepted ? "accepted" : "reject");
                set(yaml, "wait", Math.max(1, endpoint.maxPreferredWait().toMillis()) + "ms");
            }
            if (endpoint == Endpoint.NOT_EXECUTED || endpoint == Endpoint.BUSY) {
                set(yaml, "not-executed-statuses", "[503]");
            }
        }
        for (Endpoint endpoint : Endpoint.IN_DIALECTS) {
            for (ExpectedDialect dialect : ExpectedDialect.values()) {
                inDialect(yaml, endpoint, dialect.dialect(), dialect.resumes());
                if (dialect == ExpectedDialect.DRAFT) {
                    // The draft leaves that to the operation, and the gateway lets requests without a key pass.
                    set(yaml, "require-key", true);
                }
            }
            for (ExpectedWebhook webhook : ExpectedWebhook.values()) {
                inDialect(yaml, endpoint, webhook.dialect(), true);
                set(yaml, "signature-secrets", secrets);
            }
        }
        return yaml.toString();
    }

    private static void inDialect(StringBuilder yaml, Endpoint endpoint, String dialect, boolean resumes) {
        Policy policy = endpoint.policy(dialect, resumes);
        yaml.append("  - path: ").append(endpoint.path(dialect)).append("/**\n");
        set(yaml, "dialect", dialect);
        set(yaml, "lease", policy.lease().toMillis() + "ms");
        set(yaml, "recovery", resumes ? "re-execute" : "hold");
    }

    private static void set(StringBuilder yaml, String name, Object value) {
        yaml.append("    ").append(name).append(": ").append(value).append('\n');
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + gateway.port() + "/");
    }

    @Override
    public void close() {
        gateway.close();
        Gateway.await(vertx.close());
    }

    private void serve(HttpServerRequest request) {
        CompletionStage<SampleResponse> response;
        try {
            response = service.respond(new SampleRequest(
                    request.path(), request.query(), String.valueOf(request.getHeader(SampleRequest.CASE))));
        } catch (RuntimeException e) {
            response = CompletableFuture.failedStage(e);
        }
        response.whenComplete((made, failure) -> vertx.runOnContext(now -> {
            if (failure == null) {
                write(request.response(), made);
            } else if (failure instanceof OutcomeUnknownException) {
                request.connection().close();
            } else {
                boolean nothingDone = failure instanceof NotExecutedException || failure instanceof SampleService.Busy;
                request.response().setStatusCode(nothingDone ? 503 : 500).end("it broke");
            }
        }));
    }

    private static void write(HttpServerResponse response, SampleResponse made) {
        response.setStatusCode(made.status());
        for (Header header : made.headers()) {
            response.putHeader(header.name(), header.value());
        }
        if (made.error()) {
            response.end("error " + made.status());
        } else if (made.chunks().size() == 1) {
            response.end(Buffer.buffer(made.chunks().get(0)));
        } else {
            response.setChunked(!made.chunks().isEmpty());
            made.chunks().forEach(chunk -> response.write(Buffer.buffer(chunk)));
            response.end();
        }
    }
}
