package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.semel.Key;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals and logs of a gateway in a process of its own. */
class RunningProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TestUpstream upstream;
    private GatewayProcess gateway;

    @BeforeEach
    void startUpstream() {
        upstream = new TestUpstream();
    }

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
        upstream.close();
    }

    private GatewayProcess start(String... options) {
        gateway = new GatewayProcess(directory, "128m", upstream.url(), "memory:", options);
        return gateway.start();
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String key) {
        return client.sendAsync(
                HttpRequest.newBuilder(gateway.uri(path))
                        .header("Idempotency-Key", key)
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer not-for-the-log")
                        .POST(BodyPublishers.ofString("{\"card\":\"4242-in-a-body\"}"))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> admin(String path, String token) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(gateway.adminUri(path))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofString());
    }

    private List<String> lines(String containing) throws IOException {
        return gateway.printed()
                .lines()
                .filter(line -> line.contains(containing))
                .toList();
    }

    @Test
    void servesForAWhileAfterSigtermWithoutBeingReady() throws Exception {
        start("--lame-duck", "8s");
        assertThat(admin("/ready", "none").statusCode()).isEqualTo(200);
        assertThat(healthCheckOfTheImage()).isZero();
        HttpResponse<String> before = post("/charges", "before").join();
        assertThat(before.headers().firstValue("Connection")).isEmpty();

        gateway.signal("TERM");

        await().atMost(PATIENCE).until(() -> admin("/ready", "none").statusCode(), status -> status == 503);
        assertThat(admin("/ready", "none").body()).isEqualTo("{\"status\":\"draining\"}");
        HttpResponse<String> meanwhile = post("/charges", "meanwhile").join();
        assertThat(meanwhile.statusCode()).isEqualTo(201);
        assertThat(meanwhile.headers().firstValue("Connection")).contains("close");
        assertThat(post("/charges", "before").join().body()).isEqualTo(before.body());
        CompletableFuture<HttpResponse<String>> running = post("/hold", "running");
        await().atMost(PATIENCE).until(() -> upstream.effects("running") == 1);
        // Then the listener closes, and what runs may end.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> new Socket("127.0.0.1", gateway.port()).close())
                        .isInstanceOf(IOException.class));
        assertThat(gateway.isAlive()).isTrue();
        upstream.releaseAll();
        assertThat(running.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(201);
        assertThat(gateway.exit().get(1, TimeUnit.MINUTES)).isEqualTo(143);
        assertThat(healthCheckOfTheImage()).isNotZero();
        assertThat(lines("not ready any more, serving for another PT8S")).hasSize(1);
    }

    /** Runs the command by which the image says whether its gateway is well, with the port of this one. */
    private int healthCheckOfTheImage() throws IOException, InterruptedException {
        String line = Files.readAllLines(Path.of("..", "packaging", "Dockerfile")).stream()
                .filter(each -> each.startsWith("HEALTHCHECK "))
                .findFirst()
                .orElseThrow();
        List<String> command = new JsonArray(line.substring(line.indexOf(" CMD ") + 5))
                .stream()
                        .map(word -> word.toString()
                                .replace("/8081", "/" + gateway.adminUri("/").getPort()))
                        .toList();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void logsEachRequestAsJsonWithTheDigestOfItsKeyAndNoSecret() throws Exception {
        start("--log-format", "json", "--access-log", "--key-from", "header,query:key");
        post("/charges?card=4242-in-a-query", "order-17").join();
        post("/charges?card=4242-in-a-query", "order-17").join();
        client.send(
                HttpRequest.newBuilder(gateway.uri("/echo?token=in-a-query")).build(), BodyHandlers.ofString());
        await().atMost(PATIENCE).until(() -> lines("dev.semel.access").size() == 3);

        List<JsonObject> logged =
                lines("dev.semel.access").stream().map(JsonObject::new).toList();
        String digest = Key.of("single", "order-17").digest().toString();
        assertThat(logged.get(0).getMap())
                .containsEntry("level", "INFO")
                .containsEntry("message", "request")
                .containsEntry("method", "POST")
                .containsEntry("path", "/charges")
                .containsEntry("operation", "default")
                .containsEntry("status", 201)
                .containsEntry("key", digest)
                .containsEntry("replayed", false)
                .containsEntry("client", "127.0.0.1")
                .containsKeys("time", "ms", "bytes");
        assertThat(logged.get(0).getString("time")).endsWith("Z");
        assertThat(logged.get(1).getMap()).containsEntry("key", digest).containsEntry("replayed", true);
        assertThat(logged.get(2).getMap())
                .containsEntry("method", "GET")
                .containsEntry("path", "/echo")
                .doesNotContainKeys("key", "replayed");
        assertThat(gateway.printed())
                .doesNotContain("order-17", "4242", "in-a-query", "not-for-the-log")
                .doesNotContain(GatewayProcess.ADMIN_TOKEN);
    }

    @Test
    void aKeyInThePathIsNotInTheLogEither() throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), """
            access-log: true
            routes:
              - path: /orders/*/capture
                operation: capture
                key-from: path:/orders/{order}/capture
            """);
        start("--config", file.toString());

        post("/orders/secret-order/capture", "unused").join();

        await().atMost(PATIENCE).until(() -> lines("operation=capture").size() == 1);
        assertThat(lines("operation=capture").get(0))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO .*")
                .contains("request method=POST path=/orders/*/capture ", " key=", " replayed=false ");
        assertThat(gateway.printed()).doesNotContain("secret-order");
    }

    /** Whoever is started with nohup, and all that it starts, ignores the signal. */
    private static boolean isHangUpIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> line.substring("SigIgn:".length()).strip())
                        .anyMatch(mask -> Long.parseUnsignedLong(mask, 16) % 2 == 1);
    }

    @Test
    void readsItsConfigurationAgainOnSighup() throws Exception {
        assumeFalse(isHangUpIgnored(), "SIGHUP is ignored here, as after nohup");
        Path tokens = Secrets.write(directory.resolve("tokens"), "alice read first-token-of-alice-1\n");
        Path file = Files.writeString(directory.resolve("gateway.yaml"), "admin-tokens: " + tokens + "\n");
        gateway = new GatewayProcess(directory, "128m", upstream.url(), "memory:", "--config", file.toString())
                .withoutAdminToken()
                .start();
        assertThat(admin("/api/overview", "first-token-of-alice-1").statusCode())
                .isEqualTo(200);

        Secrets.write(tokens, "alice read other-token-of-alice-2\n");
        Files.writeString(file, """
            admin-tokens: %s
            log-format: json
            access-log: true
            max-header: 32k
            routes:
              - path: /charges/**
                lease: 10s
            """.formatted(tokens));
        gateway.signal("HUP");

        await().atMost(PATIENCE).until(() -> lines("event=restart_needed").size() == 1);
        assertThat(new JsonObject(lines("event=reloaded").get(0)).getString("message"))
                .contains("changed=log-format,access-log");
        assertThat(lines("event=restart_needed").get(0)).contains("settings=max-header,routes ");
        assertThat(admin("/api/overview", "first-token-of-alice-1").statusCode())
                .isEqualTo(401);
        assertThat(admin("/api/overview", "other-token-of-alice-2").statusCode())
                .isEqualTo(200);
        post("/charges", "logged").join();
        await().atMost(PATIENCE).until(() -> lines("dev.semel.access").size() == 1);

        Files.writeString(file, "admin-tokens: nowhere\naccess-log: perhaps\nlog-format: text\n");
        gateway.signal("HUP");

        await().atMost(PATIENCE).until(() -> lines("event=reload_failed").size() == 1);
        assertThat(lines("event=reload_failed").get(0))
                .contains("the old configuration stays")
                .contains("access-log: expected true or false", "admin-tokens: cannot read nowhere");
        assertThat(admin("/api/overview", "other-token-of-alice-2").statusCode())
                .isEqualTo(200);
        assertThat(post("/charges", "logged").join().statusCode()).isEqualTo(201);
        await().atMost(PATIENCE).until(() -> lines("dev.semel.access").size() == 2);
        assertThat(lines("dev.semel.access")).allMatch(line -> line.startsWith("{"));

        Files.writeString(file, "access-log: true\nlog-format: json\n");
        gateway.signal("HUP");

        await().atMost(PATIENCE).until(() -> lines("event=restart_needed").size() == 2);
        assertThat(lines("event=restart_needed").get(1))
                .as("a token that was generated now would be printed nowhere")
                .contains("settings=admin-tokens ");
        assertThat(admin("/api/overview", "other-token-of-alice-2").statusCode())
                .isEqualTo(200);
    }
}
