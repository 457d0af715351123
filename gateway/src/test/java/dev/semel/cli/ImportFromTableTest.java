package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code semel keys import --from}: keys of a table that an application has made for itself. */
class ImportFromTableTest {

    private static final String MAPPING = """
            table: requests
            columns:
              key: request_key
              scope: customer
              operation: endpoint
              state: state
              status: code
              headers: headers
              body: body
              created: created_at
              expires: expires_at
            constants:
              content-type: application/json
            states:
              succeeded: [done]
              failed: [error]
              in-progress: [locked, ""]
            """;

    private static final String COLUMNS =
            "id,request_key,customer,endpoint,state,code,headers,body,created_at,expires_at";

    /** The first is done, the second has failed, the third and fourth are in progress, and the fifth has expired. */
    private static final String[] ROWS = {
        "1,order-1,alice,charge,done,201,{\"Location\":\"/orders/1\"},{\"id\":1},2026-01-01 10:00:00,2099-01-01 00:00:00",
        "2,order-2,alice,charge,error,402,,{\"error\":\"declined\"},2026-01-01 10:00:00,2099-01-01 00:00:00",
        "3,order-3,alice,charge,locked,,,,2026-01-01 10:00:00,2099-01-01 00:00:00",
        "4,order-4,bob,charge,,,,,2026-01-01 10:00:00,2099-01-01 00:00:00",
        "5,order-5,bob,charge,done,200,,{},2020-01-01 10:00:00,2020-01-02 10:00:00",
    };

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String store;
    private Path mapping;

    @BeforeEach
    void makeAStore() throws Exception {
        store = "sqlite:" + directory.resolve("semel.db");
        StoreUrls.open(store).close();
        mapping = map(MAPPING);
    }

    /** Where the rows are. */
    enum Source {
        POSTGRES,
        MARIADB,
        SQLITE,
        CSV
    }

    @ParameterizedTest
    @EnumSource(Source.class)
    void importsWhatTheTableKnows(Source source) throws Exception {
        int code = run("--from", from(source, ROWS), "--in-progress", "hold");

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("5 rows, 4 imported, 1 expired");
        KeyRecord first = find("alice", "order-1").orElseThrow();
        assertThat(first.state()).isEqualTo(KeyState.SUCCEEDED);
        assertThat(first.operation()).isEqualTo("charge");
        assertThat(first.expiresAt()).isBetween("2099-01-01T00:00:00Z", "2099-01-01T00:01:00Z");
        Outcome outcome = first.outcome();
        assertThat(outcome.status()).isEqualTo(201);
        assertThat(outcome.contentType()).isEqualTo("application/json");
        assertThat(outcome.headers()).containsExactly(new Header("Location", "/orders/1"));
        assertThat(outcome.payload()).isEqualTo("{\"id\":1}".getBytes(StandardCharsets.UTF_8));
        assertThat(find("alice", "order-2").orElseThrow().state()).isEqualTo(KeyState.FAILED);
        assertThat(find("alice", "order-3").orElseThrow().state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(find("bob", "order-4").orElseThrow().state()).isEqualTo(KeyState.UNKNOWN);
        assertThat(find("bob", "order-5")).isEmpty();
    }

    @Test
    void aRetryThroughTheGatewayGetsTheAnswerOfTheTable() throws Exception {
        assertThat(run("--from", from(Source.CSV, ROWS), "--in-progress", "hold"))
                .isZero();

        try (TestUpstream upstream = new TestUpstream();
                StoreUrls.OpenStore open = StoreUrls.open(store);
                TestGateway gateway = TestGateway.start(open.keys(), upstream.url(), "scope", "header:X-Customer")) {
            HttpResponse<String> replay = gateway.post("/orders", "order-1", "{\"n\":1}", "X-Customer", "alice");
            HttpResponse<String> held = gateway.post("/orders", "order-3", "{\"n\":3}", "X-Customer", "alice");

            assertThat(replay.statusCode()).isEqualTo(201);
            assertThat(replay.body()).isEqualTo("{\"id\":1}");
            assertThat(replay.headers().firstValue("Location")).hasValue("/orders/1");
            assertThat(replay.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(held.body()).contains("outcome-unknown");
            assertThat(upstream.allEffects()).isZero();
        }
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        settle("order-2", "what Semel knows");

        int code = run("--from", from(Source.CSV, ROWS), "--in-progress", "skip", "--dry-run");

        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("row 1: succeeded charge order-1 of alice, status 201, 8 bytes of body, until 2099-")
                .contains("5 rows, 1 would be imported, 1 known to the store", "1 expired, 2 in progress and left out")
                .doesNotContain("{\"id\"");
        assertThat(find("alice", "order-1")).isEmpty();
        assertThat(directory.resolve("mapping.yaml.progress")).doesNotExist();
    }

    @Test
    void whatTheStoreKnowsStaysAsItIs() throws Exception {
        settle("order-1", "what Semel knows");

        assertThat(run("--from", from(Source.CSV, ROWS), "--in-progress", "skip"))
                .isZero();

        assertThat(out.toString()).contains("1 imported, 1 known to the store already");
        assertThat(find("alice", "order-1").orElseThrow().outcome().payload())
                .isEqualTo("what Semel knows".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRepeatedImportChangesNothing() throws Exception {
        String from = from(Source.CSV, ROWS);
        run("--from", from, "--in-progress", "hold");
        KeyRecord before = find("alice", "order-1").orElseThrow();

        assertThat(run("--from", from, "--in-progress", "hold")).isZero();

        KeyRecord after = find("alice", "order-1").orElseThrow();
        assertThat(after.expiresAt()).isEqualTo(before.expiresAt());
        assertThat(after.outcome()).isEqualTo(before.outcome());
    }

    @Test
    void rowsThatCannotBeMappedAreListedWithoutTheirBodies() throws Exception {
        String secret = "secret".repeat(10);
        String from = from(
                Source.CSV,
                "1," + "k".repeat(300) + ",alice,charge,done,200,,{},,",
                "2,order-2,,charge,done,200,,{},,",
                "3,order-3,alice,charge,whatever,200,,{},,",
                "4,order-4,alice,charge,locked,,,,,",
                "5,order-5,alice,charge,done,200,," + secret + ",,",
                "6,order-6,alice,charge,done,,,{},,",
                "7,order-7,alice,charge,done,200,,{},yesterday,",
                "8,order-8,alice,charge,done,200,not headers,{},,",
                "9,order-9,alice,charge,done,99,,{},,");
        map(MAPPING + "max-body: 50\n");

        assertThat(run("--from", from, "--dry-run")).isEqualTo(1);

        assertThat(out.toString())
                .contains("row 1: key must have at most 255 characters, got 300")
                .contains("row 2: there is no scope")
                .contains("row 3: state \"whatever\" is not under states")
                .contains("row 4: in progress: choose --in-progress hold")
                .contains("row 5: the body has 60 bytes, and max-body is 50")
                .contains("row 6: there is no status of the response")
                .contains("row 7: created: expected a time")
                .contains("row 8: headers: expected")
                .contains("row 9: the status of a response is between 200 and 599, got 99")
                .contains("9 rows, 0 would be imported, 9 rejected")
                .doesNotContain("secret");
    }

    @Test
    void aLargeBodyCanBeLeftOut() throws Exception {
        map(MAPPING + "max-body: 5\noversized: without-body\n");

        assertThat(run("--from", from(Source.CSV, ROWS), "--in-progress", "skip"))
                .isZero();

        assertThat(find("alice", "order-1").orElseThrow().outcome().payload()).isNull();
    }

    @Test
    void withoutAStateTheStatusSaysWhetherThereIsAResponse() throws Exception {
        map("""
                query: SELECT *, 'charge' AS operation, upper(customer) AS tenant FROM requests;
                kind: operation
                order: id
                columns: {key: request_key, scope: tenant, operation: operation, status: code, body: body}
                constants: {retention: 7d}
                """);

        assertThat(run("--from", from(Source.SQLITE, ROWS), "--in-progress", "skip"))
                .isZero();

        assertThat(out.toString()).contains("3 imported", "2 in progress and left out");
        assertThat(find("ALICE", "order-2").orElseThrow().state()).isEqualTo(KeyState.FAILED);
        assertThat(claim("ALICE", "order-1", "charge")).isInstanceOf(Claim.Settled.class);
        assertThat(claim("ALICE", "order-2", "refund")).isInstanceOf(Claim.Mismatch.class);
    }

    @Test
    void goesOnWhereAnImportWasInterruptedAndNotWithAnotherFile() throws Exception {
        String from = from(Source.CSV, ROWS);
        Path progress = directory.resolve("mapping.yaml.progress");
        run("--from", from, "--in-progress", "hold");
        JsonObject saved = new JsonObject(Files.readString(progress));
        saved.put("finished", false).put("position", 2);
        saved.put("counts", new JsonObject().put("imported", 1));
        Files.writeString(progress, saved.encode());
        out.getBuffer().setLength(0);

        assertThat(run("--from", from, "--in-progress", "skip")).isEqualTo(2);
        assertThat(err.toString()).contains("another choice for rows in progress; --restart");
        assertThat(run("--from", from, "--in-progress", "hold")).isZero();

        assertThat(out.toString()).contains("5 rows, 4 imported, 1 expired");
        assertThat(new JsonObject(Files.readString(progress)).getBoolean("finished"))
                .isTrue();
    }

    @Test
    void aMistakeInTheMappingIsNamed() throws Exception {
        map(MAPPING.replace("  scope:", "  scoop:"));
        assertThat(run("--from", from(Source.CSV, ROWS))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no field \"scoop\"; did you mean \"scope\"?");

        map(MAPPING.replace("customer", "client"));
        assertThat(run("--from", from(Source.CSV, ROWS))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no column \"client\"");

        assertThat(run("--from", from(Source.SQLITE, ROWS))).isEqualTo(2);
        assertThat(err.toString()).contains("no such column: client");

        assertThat(run("--from", "sqlite:" + directory.resolve("missing.db"))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no database");
    }

    private Path map(String yaml) throws Exception {
        return Files.writeString(directory.resolve("mapping.yaml"), yaml);
    }

    private int run(String... options) {
        String[] args = new String[options.length + 6];
        String[] fixed = {"keys", "import", "--map", mapping.toString(), "--store", store};
        System.arraycopy(fixed, 0, args, 0, fixed.length);
        System.arraycopy(options, 0, args, fixed.length, options.length);
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private String from(Source source, String... rows) throws Exception {
        String timestamp = source == Source.POSTGRES ? "TIMESTAMPTZ" : source == Source.MARIADB ? "DATETIME" : "TEXT";
        String bytes = source == Source.POSTGRES ? "BYTEA" : source == Source.MARIADB ? "LONGBLOB" : "BLOB";
        switch (source) {
            case POSTGRES -> {
                String database = TestPostgres.newDatabase();
                try (HikariDataSource pool = TestPostgres.pool(database, 1);
                        Connection connection = pool.getConnection()) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SET TIME ZONE 'UTC'");
                    }
                    fill(connection, bytes, timestamp, rows);
                }
                return TestPostgres.url(database);
            }
            case MARIADB -> {
                try (HikariDataSource pool = TestMariaDb.newDatabase(1);
                        Connection connection = pool.getConnection()) {
                    fill(connection, bytes, timestamp, rows);
                    return pool.getJdbcUrl() + "?user=root";
                }
            }
            case SQLITE -> {
                Path file = directory.resolve("old.db");
                Files.deleteIfExists(file);
                try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                    fill(connection, bytes, timestamp, rows);
                }
                return "sqlite:" + file;
            }
            default -> {
                StringBuilder csv = new StringBuilder(COLUMNS + "\n");
                for (String row : rows) {
                    csv.append(row.replaceAll("(\\{[^,]*})", "\u0001$1\u0001")
                                    .replace("\"", "\"\"")
                                    .replace('\u0001', '"'))
                            .append('\n');
                }
                return Files.writeString(directory.resolve("old.csv"), csv).toString();
            }
        }
    }

    private static void fill(Connection connection, String bytes, String timestamp, String... rows) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE requests (id INT PRIMARY KEY, request_key VARCHAR(300), customer VARCHAR(99),"
                            + " endpoint VARCHAR(99), state VARCHAR(9), code INT, headers VARCHAR(999), body " + bytes
                            + ", created_at " + timestamp + ", expires_at " + timestamp + ")");
            for (String row : rows) {
                StringBuilder values = new StringBuilder();
                for (String cell : row.split(",", -1)) {
                    values.append(values.length() == 0 ? "" : ", ").append(cell.isEmpty() ? "NULL" : "'" + cell + "'");
                }
                statement.execute("INSERT INTO requests VALUES (" + values + ")");
            }
        }
    }

    private Optional<KeyRecord> find(String scope, String key) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            return KeyStore.capability(open.keys(), Inspecting.class)
                    .orElseThrow()
                    .find(Key.of(scope, key).digest())
                    .toCompletableFuture()
                    .join();
        }
    }

    private void settle(String key, String payload) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            Claim claim = claim(open.keys(), "alice", key, "charge");
            open.keys()
                    .settle(
                            ((Claim.Acquired) claim).lease(),
                            Outcome.succeeded().payload(payload).build(),
                            Retention.of(Duration.ofHours(1)))
                    .toCompletableFuture()
                    .join();
        }
    }

    private Claim claim(String scope, String key, String operation) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            return claim(open.keys(), scope, key, operation);
        }
    }

    private static Claim claim(KeyStore keys, String scope, String key, String operation) {
        Fingerprint request = Fingerprint.of("any body").forOperation(operation);
        return keys.claim(ClaimRequest.builder(Key.of(scope, key), operation, request)
                        .build())
                .toCompletableFuture()
                .join();
    }
}
