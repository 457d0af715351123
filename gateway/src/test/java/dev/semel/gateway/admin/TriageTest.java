package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.jdbc.JdbcKeyStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many unknown keys at once, in a real database, from the kill of their upstream to the last decision. */
class TriageTest {

    private static final int KEYS = 500;

    @TempDir
    private Path directory;

    private TestUpstream upstream;
    private HikariDataSource pool;
    private TestGateway gateway;

    @BeforeEach
    void start() {
        upstream = new TestUpstream();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
        pool = new HikariDataSource(config);
        gateway = TestGateway.start(
                JdbcKeyStore.builder(pool).createIfMissing().build(),
                upstream.url(),
                "timeout",
                "60s",
                "upstream-connections",
                Integer.toString(KEYS));
    }

    @AfterEach
    void stop() {
        gateway.close();
        pool.close();
        upstream.close();
    }

    private JsonObject post(String path, JsonObject body) {
        HttpResponse<String> answer = gateway.send(HttpRequest.newBuilder(gateway.adminUri(path))
                .headers("Content-Type", "application/json", "Semel-Console", "1")
                .POST(BodyPublishers.ofString(body.encode())));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private JsonObject search(String query) {
        return new JsonObject(gateway.admin("/api/search?" + query).body());
    }

    /** Sends requests that the upstream has begun when it dies. */
    private void killTheUpstreamUnder(int requests) {
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, requests)
                .mapToObj(i -> gateway.postAsync("/never", String.format("order-%03d", i), "{}"))
                .toList();
        await().atMost(Duration.ofSeconds(60)).until(() -> upstream.allEffects() == requests);
        upstream.close();
        answers.forEach(CompletableFuture::join);
    }

    @Test
    void fiveHundredUnknownKeysAreDecidedThroughAFile() {
        killTheUpstreamUnder(KEYS);
        assertThat(search("state=unknown").getInteger("total")).isEqualTo(KEYS);

        // The processor's answer: every fifth was never charged.
        String[] exported =
                gateway.admin("/api/export?state=unknown&format=csv").body().split("\r\n");
        assertThat(exported).hasSize(KEYS + 1);
        StringBuilder answered = new StringBuilder(exported[0] + "\r\n");
        for (int i = 1; i < exported.length; i++) {
            String key = exported[i].split(",")[1];
            boolean charged = Integer.parseInt(key.substring("order-".length())) % 5 != 0;
            answered.append(exported[i]).append(charged ? "yes" : "no").append("\r\n");
        }
        JsonObject preview = post(
                "/api/decisions/preview",
                new JsonObject()
                        .put("csv", answered.toString())
                        .put("response", new JsonObject().put("status", 201).put("body", "charged")));
        assertThat(preview.getInteger("ready")).isEqualTo(KEYS);
        JsonArray decisions = new JsonArray();
        preview.getJsonArray("rows").forEach(row -> decisions.add(((JsonObject) row).getJsonObject("decision")));
        JsonObject done = post(
                "/api/decisions",
                new JsonObject().put("reason", "the processor's list of today").put("decisions", decisions));

        assertThat(done.getInteger("applied")).isEqualTo(KEYS);
        assertThat(search("state=unknown").getInteger("total")).isZero();
        assertThat(search("state=succeeded").getInteger("total")).isEqualTo(KEYS * 4 / 5);
        assertThat(done.getJsonArray("results").stream()
                        .map(each -> ((JsonObject) each).getString("outcome"))
                        .distinct())
                .as("what lets nothing run comes first")
                .containsExactly("succeeded", "released");
        JsonArray audit = new JsonObject(gateway.admin("/api/audit?limit=1000").body()).getJsonArray("entries");
        assertThat(audit).hasSize(KEYS);
        assertThat(audit).allSatisfy(each -> {
            assertThat(((JsonObject) each).getString("by")).isEqualTo("admin");
            assertThat(((JsonObject) each).getString("reason")).isEqualTo("the processor's list of today");
        });
        assertThat(gateway.post("/never", "order-001", "{}").body()).isEqualTo("charged");
    }

    @Test
    void aDecisionHoldsOnlyForTheKeyThatWasSeen() {
        killTheUpstreamUnder(3);
        List<JsonObject> keys = new ArrayList<>();
        search("state=unknown").getJsonArray("keys").forEach(key -> keys.add((JsonObject) key));
        JsonArray decisions = new JsonArray();
        for (JsonObject key : keys) {
            decisions.add(new JsonObject()
                    .put("digest", key.getString("digest"))
                    .put("token", key.getString("token"))
                    .put("outcome", "failed"));
        }
        JsonObject one =
                new JsonObject().put("reason", "first").put("decisions", new JsonArray().add(decisions.getValue(0)));
        post("/api/decisions", one);

        JsonObject done =
                post("/api/decisions", new JsonObject().put("reason", "second").put("decisions", decisions));

        assertThat(done.getInteger("applied")).isEqualTo(2);
        assertThat(done.getJsonArray("results").getJsonObject(0).getString("result"))
                .isEqualTo("moved-on");
        assertThat(new JsonObject(gateway.admin("/api/audit").body()).getJsonArray("entries"))
                .hasSize(3);
    }

    @Test
    void aFileSaysWhichOfItsRowsHaveAProblem() {
        killTheUpstreamUnder(2);

        JsonObject preview = post(
                "/api/decisions/preview",
                new JsonObject()
                        .put("csv", "Key,Executed\norder-000,no\norder-000,yes\nnobody,yes\norder-001,perhaps\n"));

        assertThat(preview.getInteger("ready")).isEqualTo(1);
        assertThat(preview.getJsonArray("rows").stream()
                        .map(row -> String.valueOf(((JsonObject) row).getString("problem"))))
                .containsExactly(
                        "null",
                        "row 1 is about the same key",
                        "no such key is unknown or lapsed",
                        "executed must be yes or no, or outcome succeeded, failed or released; got \"perhaps\"");
        assertThat(search("state=unknown").getInteger("total"))
                .as("nothing is decided")
                .isEqualTo(2);
    }

    @Test
    void oneSearchFindsKeysByWhatPeopleHave() {
        gateway.post(
                "/charges", "order-1", "{}", "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        gateway.post("/charges", "order-2", "{}");
        gateway.post("/charges", "other", "{}");
        JsonObject first = search("q=order-1").getJsonArray("keys").getJsonObject(0);
        String digest = first.getString("digest");

        assertThat(search("q=order-").getInteger("total")).isEqualTo(2);
        assertThat(search("q=" + digest).getInteger("total")).isEqualTo(1);
        assertThat(search("q=" + digest.substring(0, 8)).getInteger("total")).isEqualTo(1);
        assertThat(search("q=4bf92f3577b34da6a3ce929d0e0e4736").getInteger("total"))
                .isEqualTo(1);
        assertThat(search("q=single").getInteger("total")).as("the scope").isEqualTo(3);
        assertThat(search("q=order-%25").getInteger("total")).isZero();
        assertThat(search("from=" + first.getString("claimedAt")).getInteger("total"))
                .isEqualTo(3);
        assertThat(search("to=" + first.getString("claimedAt")).getInteger("total"))
                .isZero();
        assertThat(search("").getJsonArray("keys").getJsonObject(0).getString("key"))
                .as("the newest first")
                .isEqualTo("other");
        assertThat(search("limit=2&page=2").getJsonArray("keys")).hasSize(1);
        for (String wrong : List.of("from=yesterday", "page=0", "page=x", "limit=-1", "state=lost")) {
            assertThat(gateway.admin("/api/search?" + wrong).statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }
}
