package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.gateway.config.ConfigException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what on the admin address, and what is kept of it. */
class RolesTest {

    private static final String TOKENS = """
            prometheus  metrics        metrics-0123456789abcdef
            rita        read           read-0123456789abcdefgh
            olga        operate        operate-0123456789abcdef
            oscar       operate,erase  oscar-0123456789abcdefg
            emil        erase          erase-0123456789abcdefg
            sso         proxy          proxy-0123456789abcdefg
            """;

    @TempDir
    private static Path directory;

    private static TestUpstream upstream;
    private static String file;
    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        upstream = new TestUpstream();
        Path path = Files.createFile(
                directory.resolve("tokens"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        file = Files.writeString(path, TOKENS).toString();
        gateway = TestGateway.start(upstream.url(), "timeout", "300ms", "admin-tokens", file);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static String token(String name) {
        return Arrays.stream(TOKENS.split("\n"))
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElseThrow()
                .split("\\s+")[2];
    }

    private static HttpResponse<String> get(TestGateway of, String name, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(of.adminUri(path)).header("Authorization", "Bearer " + token(name));
        return of.send(headers.length == 0 ? request : request.headers(headers));
    }

    private static HttpResponse<String> post(
            TestGateway of, String name, String path, JsonObject body, String... headers) {
        List<String> all = new ArrayList<>(List.of(
                "Authorization", "Bearer " + token(name), "Content-Type", "application/json", "Semel-Console", "1"));
        all.addAll(List.of(headers));
        return of.send(HttpRequest.newBuilder(of.adminUri(path))
                .headers(all.toArray(String[]::new))
                .POST(BodyPublishers.ofString(body.encode())));
    }

    private static JsonObject unknown(TestGateway of, String key) {
        of.post("/never", key, "{}");
        return new JsonObject(get(of, "rita", "/api/keys?key=" + key).body())
                .getJsonArray("keys")
                .getJsonObject(0);
    }

    private static HttpResponse<String> resolve(TestGateway of, String name, JsonObject key, String outcome) {
        return post(
                of,
                name,
                "/api/keys/" + key.getString("digest") + "/resolve",
                new JsonObject()
                        .put("token", key.getString("token"))
                        .put("outcome", outcome)
                        .put("status", outcome.equals("released") ? null : 201)
                        .put("reason", "looked at the ledger"));
    }

    private static String state(TestGateway of, String key) {
        return get(of, "rita", "/api/keys?key=" + key).body();
    }

    private static JsonObject newest(TestGateway of, String subject) {
        return new JsonObject(get(of, "rita", "/api/audit?subject=" + subject).body())
                .getJsonArray("entries")
                .getJsonObject(0);
    }

    @Test
    void aMetricsTokenScrapesAndDoesNothingElse() {
        assertThat(get(gateway, "prometheus", "/metrics").statusCode()).isEqualTo(200);
        for (String path : List.of(
                "/api/keys",
                "/api/search",
                "/api/export",
                "/api/overview",
                "/api/clients",
                "/api/audit",
                "/api/nothing")) {
            assertThat(get(gateway, "prometheus", path).statusCode()).as(path).isEqualTo(403);
        }
    }

    @Test
    void aReadTokenDecidesNothing() {
        JsonObject key = unknown(gateway, "read-only");
        JsonObject none = new JsonObject();

        HttpResponse<String> refused = resolve(gateway, "rita", key, "released");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("rita may not do this: it needs the role operate");
        for (String path : List.of("/api/decisions", "/api/decisions/preview", "/api/erase", "/api/nothing")) {
            assertThat(post(gateway, "rita", path, none).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(resolve(gateway, "emil", key, "released").statusCode())
                .as("who may erase may not decide")
                .isEqualTo(403);
        assertThat(post(gateway, "olga", "/api/erase", none).statusCode())
                .as("who may decide may not erase")
                .isEqualTo(403);
        assertThat(state(gateway, "read-only")).contains("\"state\":\"unknown\"");
    }

    @Test
    void theAuditNamesWhoDecided() {
        JsonObject key = unknown(gateway, "audited");

        assertThat(resolve(gateway, "olga", key, "succeeded").statusCode()).isEqualTo(200);

        JsonObject entry = newest(gateway, key.getString("digest"));
        assertThat(entry.getString("by")).isEqualTo("olga");
        assertThat(entry.getString("address")).isEqualTo("127.0.0.1");
        assertThat(entry.getString("before")).isEqualTo("unknown");
        assertThat(entry.getString("after")).isEqualTo("succeeded 201");
        assertThat(entry.getString("reason")).isEqualTo("looked at the ledger");
        assertThat(entry.getString("operation")).isEqualTo("default");
        assertThat(get(gateway, "rita", "/api/keys/" + key.getString("digest")).body())
                .contains("resolved as succeeded 201 by olga: looked at the ledger");
        assertThat(get(gateway, "rita", "/api/audit?format=csv").body())
                .startsWith("id,at,by,address,action,subject,operation,token,before,after,reason\r\n")
                .contains(",olga,127.0.0.1,resolve,");
    }

    @Test
    void aProxyNamesThePerson() {
        JsonObject key = unknown(gateway, "through-a-proxy");
        JsonObject decision = new JsonObject()
                .put("token", key.getString("token"))
                .put("outcome", "failed")
                .put("reason", "refunded");
        String path = "/api/keys/" + key.getString("digest") + "/resolve";

        assertThat(get(gateway, "sso", "/api/me", "Semel-User", "alice@example.org", "Semel-Roles", "operate")
                        .body())
                .isEqualTo(
                        "{\"fourEyes\":[],\"traceUrl\":null,\"name\":\"alice@example.org\",\"roles\":[\"metrics\",\"operate\",\"read\"]}");
        assertThat(post(gateway, "sso", path, decision).statusCode()).isEqualTo(403);
        assertThat(get(gateway, "sso", "/api/keys", "Semel-User", "a", "Semel-User", "b", "Semel-Roles", "read")
                        .statusCode())
                .as("a client's own header before the proxy's")
                .isEqualTo(401);
        assertThat(post(gateway, "sso", path, decision, "Semel-User", "alice@example.org", "Semel-Roles", "operate")
                        .statusCode())
                .isEqualTo(200);
        assertThat(newest(gateway, key.getString("digest")).getString("by")).isEqualTo("alice@example.org");
    }

    @Test
    void aReleaseWaitsForASecondPerson() {
        try (TestGateway careful = TestGateway.start(
                upstream.url(), "timeout", "300ms", "admin-tokens", file, "four-eyes", "release,erase")) {
            JsonObject key = unknown(careful, "four-eyes");

            assertThat(resolve(careful, "olga", key, "released").statusCode()).isEqualTo(202);
            assertThat(resolve(careful, "olga", key, "released").statusCode())
                    .as("the same person twice")
                    .isEqualTo(202);
            assertThat(state(careful, "four-eyes")).contains("\"state\":\"unknown\"");
            assertThat(resolve(careful, "oscar", key, "released").statusCode()).isEqualTo(200);

            assertThat(state(careful, "four-eyes")).contains("\"keys\":[]");
            JsonObject entry = newest(careful, key.getString("digest"));
            assertThat(entry.getString("by")).isEqualTo("oscar");
            assertThat(entry.getString("reason")).isEqualTo("looked at the ledger (proposed by olga)");
            assertThat(resolve(careful, "olga", unknown(careful, "settled"), "succeeded")
                            .statusCode())
                    .as("what lets nothing run needs one person")
                    .isEqualTo(200);
        }
    }

    @Test
    void anErasureWaitsForASecondPersonEachTime() {
        JsonObject erase = new JsonObject().put("scope", "single").put("reason", "asked for");
        try (TestGateway careful = TestGateway.start(upstream.url(), "admin-tokens", file, "four-eyes", "erase")) {
            careful.post("/charges", "erased", "{}");

            assertThat(post(careful, "oscar", "/api/erase", erase).statusCode()).isEqualTo(202);
            assertThat(state(careful, "erased")).contains("succeeded");
            assertThat(post(careful, "emil", "/api/erase", erase).body()).contains("\"left\":0");

            assertThat(state(careful, "erased")).contains("\"keys\":[]");
            assertThat(post(careful, "emil", "/api/erase", erase).statusCode())
                    .as("the proposal is used up")
                    .isEqualTo(202);
        }
    }

    @Test
    void fourEyesNeedTwoPeople() {
        assertThatThrownBy(() -> TestGateway.config(upstream.url(), "four-eyes", "release"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at least two people");
        assertThatThrownBy(() -> TestGateway.config(upstream.url(), "four-eyes", "resolve", "admin-tokens", file))
                .hasMessageContaining("expected release or erase");
    }

    @Test
    void theSingleTokenMayDoEverything() {
        try (TestGateway plain = TestGateway.start(upstream.url())) {
            assertThat(plain.admin("/api/me").body())
                    .isEqualTo(
                            "{\"fourEyes\":[],\"traceUrl\":null,\"name\":\"admin\",\"roles\":[\"erase\",\"metrics\",\"operate\",\"read\"]}");
        }
    }
}
