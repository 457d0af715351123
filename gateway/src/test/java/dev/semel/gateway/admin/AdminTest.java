package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminTest {

    private static TestUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "timeout", "500ms");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static JsonObject only(String query) {
        return new JsonObject(gateway.admin("/api/keys?" + query).body())
                .getJsonArray("keys")
                .getJsonObject(0);
    }

    private static HttpResponse<String> resolve(JsonObject key, JsonObject decision, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        gateway.adminUri("/api/keys/" + key.getString("digest") + "/resolve"))
                .POST(BodyPublishers.ofString(decision.encode()));
        return gateway.send(headers.length == 0 ? request : request.headers(headers));
    }

    private static final String[] ALLOWED = {"Content-Type", "application/json", "Semel-Console", "1"};

    private static JsonObject decision(JsonObject key) {
        return new JsonObject()
                .put("token", key.getString("token"))
                .put("outcome", "succeeded")
                .put("reason", "found in the ledger")
                .put("status", 201)
                .put("contentType", "text/plain")
                .put("body", "charged");
    }

    @Test
    void tellsTheStoryOfAKey() {
        gateway.post("/charges", "story", "{\"a\":1}");

        JsonObject key = only("key=story");
        JsonObject story = new JsonObject(
                gateway.admin("/api/keys/" + key.getString("digest")).body());

        assertThat(key.getString("state")).isEqualTo("succeeded");
        assertThat(key.getInteger("status")).isEqualTo(201);
        assertThat(story.getJsonObject("outcome").getJsonObject("body").getString("text"))
                .isEqualTo("{\"key\":\"story\",\"run\":1}");
        assertThat(story.getBoolean("resolvable")).isFalse();
    }

    @Test
    void erasesAScope() {
        try (TestGateway scoped = TestGateway.start(upstream.url(), "scope", "header:X-Customer")) {
            scoped.post("/charges", "mine", "{}", "X-Customer", "alice");
            scoped.post("/charges", "hers", "{}", "X-Customer", "bob");

            assertThat(erase(scoped, "{\"scope\":\"alice\",\"reason\":\"asked for\"}")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(erase(scoped, "{}", ALLOWED).statusCode()).isEqualTo(400);
            assertThat(erase(scoped, "[]", ALLOWED).statusCode()).isEqualTo(400);
            assertThat(erase(scoped, "{\"scope\":\"alice\",\"reason\":\"asked for\"}", ALLOWED)
                            .body())
                    .isEqualTo("{\"removed\":1,\"left\":0}");

            assertThat(scoped.admin("/api/keys").body()).contains("hers").doesNotContain("mine");
        }
    }

    private static HttpResponse<String> erase(TestGateway of, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(of.adminUri("/api/erase")).POST(BodyPublishers.ofString(body));
        return of.send(headers.length == 0 ? request : request.headers(headers));
    }

    @Test
    void pagesThroughKeys() {
        for (int i = 0; i < 5; i++) {
            gateway.post("/status/404", "page-" + i, "{}");
        }
        int seen = 0;
        String next = "";
        while (next != null) {
            JsonObject page = new JsonObject(gateway.admin("/api/keys?state=failed&limit=2&cursor=" + next)
                    .body());
            seen += page.getJsonArray("keys").size();
            next = page.getString("next");
        }
        assertThat(seen).isGreaterThanOrEqualTo(5);
    }

    @Test
    void resolvesAnUnknownKey() {
        gateway.post("/never", "resolve", "{}");
        JsonObject key = only("key=resolve");
        assertThat(key.getString("state")).isEqualTo("unknown");

        HttpResponse<String> resolved = resolve(key, decision(key), ALLOWED);

        assertThat(resolved.statusCode()).as(resolved.body()).isEqualTo(200);
        HttpResponse<String> replay = gateway.post("/never", "resolve", "{}");
        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.body()).isEqualTo("charged");
        assertThat(gateway.admin("/api/keys/" + key.getString("digest")).body()).contains("found in the ledger");
        assertThat(resolve(key, decision(key), ALLOWED).statusCode())
                .as("twice")
                .isEqualTo(409);
    }

    @Test
    void freesAKeyThatWasNotExecuted() {
        gateway.post("/never", "free", "{}");
        JsonObject key = only("key=free");

        resolve(key, decision(key).put("outcome", "released"), ALLOWED);
        gateway.post("/never", "free", "{}");

        assertThat(upstream.effects("free")).isEqualTo(2);
    }

    @Test
    void refusesADecisionThatAnotherSiteCouldHaveSent() {
        gateway.post("/never", "forged", "{}");
        JsonObject key = only("key=forged");

        assertThat(resolve(key, decision(key)).statusCode()).isEqualTo(403);
        assertThat(resolve(key, decision(key), "Content-Type", "text/plain", "Semel-Console", "1")
                        .statusCode())
                .isEqualTo(403);
        assertThat(resolve(
                                key,
                                decision(key),
                                "Content-Type",
                                "application/json",
                                "Semel-Console",
                                "1",
                                "Origin",
                                "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(only("key=forged").getString("state")).isEqualTo("unknown");
    }

    @Test
    void wantsAReasonAndAToken() {
        gateway.post("/never", "why", "{}");
        JsonObject key = only("key=why");

        assertThat(resolve(key, decision(key).put("reason", " "), ALLOWED).body())
                .contains("a reason of 1 to 500");
        JsonObject withoutToken = decision(key);
        withoutToken.remove("token");
        assertThat(resolve(key, withoutToken, ALLOWED).body()).contains("token is missing");
        assertThat(resolve(key, decision(key).put("outcome", "maybe"), ALLOWED).statusCode())
                .isEqualTo(400);
    }

    @Test
    void refusesADecisionThatCouldNotBeReplayed() {
        gateway.post("/never", "broken", "{}");
        JsonObject key = only("key=broken");
        JsonObject withoutResponse = decision(key);
        List.of("status", "contentType", "body").forEach(withoutResponse::remove);

        for (JsonObject broken : List.of(
                withoutResponse,
                decision(key).put("status", 99),
                decision(key).put("status", 600),
                decision(key).put("status", "many"),
                decision(key).put("contentType", "text/plain\r\nSet-Cookie: a=b"))) {
            HttpResponse<String> answer = resolve(key, broken, ALLOWED);
            assertThat(answer.statusCode()).as(broken + " " + answer.body()).isEqualTo(400);
        }
        assertThat(only("key=broken").getString("state")).isEqualTo("unknown");
    }

    @Test
    void saysWhatIsWrongWithAQuery() {
        assertThat(gateway.admin("/api/keys?state=lost").body()).contains("state must be pending");
        assertThat(gateway.admin("/api/keys/nonsense").statusCode()).isEqualTo(400);
        assertThat(gateway.admin("/api/keys/" + "0".repeat(32)).statusCode()).isEqualTo(404);
        assertThat(gateway.admin("/api/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void showsWhatIsHappening() {
        gateway.post("/charges", "overview", "{}");
        gateway.post("/charges", "overview", "{}");

        JsonObject overview = new JsonObject(gateway.admin("/api/overview").body());

        assertThat(overview.getJsonObject("counters").getLong("executed")).isPositive();
        assertThat(overview.getJsonObject("counters").getLong("replayed")).isPositive();
        assertThat(overview.getJsonObject("series").getJsonArray("at")).isNotEmpty();
        assertThat(gateway.admin("/health").statusCode()).isEqualTo(200);
        assertThat(gateway.admin("/ready").body()).isEqualTo("{\"status\":\"ok\"}");
    }

    @Test
    void servesTheConsoleUnderAStrictPolicy() {
        HttpResponse<String> page = gateway.admin("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(gateway.admin("/..%2flogback.xml").statusCode()).isEqualTo(404);
    }

    /** A web page elsewhere can point a name of its own at the loopback, but does not have the token. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/keys", "/api/overview", "/api/clients", "/metrics", "/api/nothing"})
    void showsNothingWithoutTheTokenAlsoWhereNoneWasConfigured(String path) throws IOException {
        for (String host : List.of("localhost", "evil.example")) {
            assertThat(RawHttp.exchange(
                            gateway.gateway.adminPort(),
                            "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void asksForTheTokenWhereThereIsOne() {
        try (TestGateway locked = TestGateway.start(upstream.url(), "admin-token", "s3cret")) {
            assertThat(locked.admin("/api/keys").statusCode()).isEqualTo(401);
            assertThat(locked.send(HttpRequest.newBuilder(locked.adminUri("/api/keys"))
                                    .header("Authorization", "Bearer wrong"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(locked.send(HttpRequest.newBuilder(locked.adminUri("/api/keys"))
                                    .header("Authorization", "Bearer s3cret"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(locked.admin("/health").statusCode()).isEqualTo(200);
        }
    }
}
