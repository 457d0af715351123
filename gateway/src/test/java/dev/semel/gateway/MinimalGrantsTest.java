package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.cli.CommandLines;
import dev.semel.jdbc.RestoreGuard;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gateway does all it has to with the rights that the documentation lists, and not with one of them less. */
class MinimalGrantsTest {

    private static final String ROLE = "semel_gateway";

    private HikariDataSource administrator;
    private String url;
    private TestUpstream upstream;
    private int round;

    @BeforeEach
    void anAdministratorMakesTheTables() throws IOException {
        String database = TestPostgres.newDatabase();
        administrator = TestPostgres.pool(database, 2);
        url = TestPostgres.url(database).replace("user=postgres", "user=" + ROLE);
        String epoch = block("gateway.md", "CREATE TABLE semel_key_epoch");
        TestPostgres.execute(
                administrator,
                "DROP ROLE IF EXISTS " + ROLE,
                "CREATE ROLE " + ROLE + " LOGIN",
                "REVOKE ALL ON SCHEMA public FROM PUBLIC",
                CommandLines.run("schema", "postgres"),
                epoch);
        upstream = new TestUpstream();
    }

    @AfterEach
    void stop() {
        upstream.close();
        TestPostgres.execute(administrator, "DROP OWNED BY " + ROLE, "DROP ROLE " + ROLE);
        administrator.close();
    }

    /** The SQL of a page that has these words in it. */
    private static String block(String page, String words) throws IOException {
        return Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .map(found -> found.group(1))
                .filter(text -> text.contains(words))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void needsEachOfThemAndNothingElse() throws Exception {
        List<String> grants = block("production.md", "GRANT ").lines().toList();
        TestPostgres.execute(administrator, grants.toArray(String[]::new));

        assertThat(complaint()).isEmpty();

        for (String grant : grants) {
            for (String one : each(grant)) {
                TestPostgres.execute(
                        administrator, one.replace("GRANT ", "REVOKE ").replace(" TO ", " FROM "));
                assertThat(complaint()).as("without: " + one).isNotEmpty();
                TestPostgres.execute(administrator, one);
            }
        }
        assertThat(complaint()).isEmpty();
    }

    /** The rights of a statement, one by one. */
    private static List<String> each(String grant) {
        int on = grant.indexOf(" ON ");
        return List.of(grant.substring("GRANT ".length(), on).split(", ")).stream()
                .map(right -> "GRANT " + right + grant.substring(on))
                .toList();
    }

    /** What goes wrong first when a gateway does everything; empty if nothing does. */
    private String complaint() throws Exception {
        round++;
        // As for the first gateway there ever is.
        TestPostgres.execute(administrator, "DELETE FROM semel_key_epoch");
        try (StoreUrls.OpenStore store = StoreUrls.open(url)) {
            if (KeyStore.capability(store.keys(), RestoreGuard.class).isEmpty()) {
                return "a restore would not be noticed";
            }
            Inspecting inspecting =
                    KeyStore.capability(store.keys(), Inspecting.class).orElseThrow();
            inspecting.statistics().toCompletableFuture().join();
            KeyStore.capability(store.keys(), Purging.class)
                    .orElseThrow()
                    .purge(10)
                    .toCompletableFuture()
                    .join();
            try (TestGateway gateway = TestGateway.start(
                    store.keys(), upstream.url(), "scope", "header:X-User", "admin-token", "sesame", "drain", "0s")) {
                return complaintOf(gateway);
            }
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String complaintOf(TestGateway gateway) {
        String caller = "caller-" + round;
        HttpResponse<String> first = gateway.post("/charges", "paid-" + round, "{}", "X-User", caller);
        HttpResponse<String> again = gateway.post("/charges", "paid-" + round, "{}", "X-User", caller);
        if (first.statusCode() != 201 || !again.body().equals(first.body())) {
            return first.body();
        }
        gateway.post("/break", "lost-" + round, "{}", "X-User", caller);
        String search = "/api/search?state=unknown&scope=" + caller;
        JsonObject unknown = await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> new JsonObject(ask(gateway, HttpRequest.newBuilder(gateway.adminUri(search)))
                                .body()),
                        found -> !Integer.valueOf(0).equals(found.getInteger("total")));
        if (unknown.getInteger("total") == null) {
            return unknown.encode();
        }
        JsonObject key = unknown.getJsonArray("keys").getJsonObject(0);
        HttpResponse<String> decided = change(
                gateway,
                "/api/keys/" + key.getString("digest") + "/resolve",
                new JsonObject()
                        .put("token", key.getString("token"))
                        .put("outcome", "failed")
                        .put("reason", "in round " + round));
        if (decided.statusCode() != 200) {
            return decided.body();
        }
        HttpResponse<String> audit = ask(gateway, HttpRequest.newBuilder(gateway.adminUri("/api/audit")));
        if (!audit.body().contains("in round " + round)) {
            return audit.body();
        }
        HttpResponse<String> erased = change(
                gateway, "/api/erase", new JsonObject().put("scope", caller).put("reason", "they asked for it"));
        return erased.body().contains("\"removed\":2") ? "" : erased.body();
    }

    private static HttpResponse<String> change(TestGateway gateway, String path, JsonObject body) {
        return ask(
                gateway,
                HttpRequest.newBuilder(gateway.adminUri(path))
                        .header("Content-Type", "application/json")
                        .header("Semel-Console", "1")
                        .POST(BodyPublishers.ofString(body.encode())));
    }

    private static HttpResponse<String> ask(TestGateway gateway, HttpRequest.Builder request) {
        return gateway.send(request.header("Authorization", "Bearer sesame"));
    }

    @Test
    void cannotChangeWhatWasDecided() throws Exception {
        TestPostgres.execute(
                administrator, block("production.md", "GRANT ").lines().toArray(String[]::new));
        for (String attempt : List.of(
                "UPDATE semel_key_decision SET decided_by = 'nobody'",
                "DELETE FROM semel_key_decision",
                "TRUNCATE semel_key_decision",
                "DROP TABLE semel_key",
                "CREATE TABLE mine (id int)")) {
            try (HikariDataSource user = TestPostgres.pool(url, ROLE, 1);
                    Connection connection = user.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute(attempt))
                        .as(attempt)
                        .hasMessageMatching("(?s).*(permission denied|must be owner).*");
            }
        }
    }
}
