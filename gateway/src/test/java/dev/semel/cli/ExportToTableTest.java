package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.gateway.StoreUrls;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.testservers.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** {@code semel keys export --with-responses}: keys for a table that is not Semel's. */
class ExportToTableTest {

    private static final int KEYS = 120;

    /** What a spreadsheet would take for a formula, and no UTF-8. */
    private static final byte[] ODD = {'=', '1', ',', '"', '\n', (byte) 0xff};

    private static final Outcome OUTCOME = Outcome.succeeded()
            .status(201)
            .contentType("application/octet-stream")
            .headers(List.of(new Header("Location", "/orders/1")))
            .payload(ODD)
            .build();

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String store;

    @BeforeEach
    void fill() throws Exception {
        store = "sqlite:" + directory.resolve("semel.db");
        try (StoreUrls.OpenStore open = StoreUrls.open(store)) {
            for (int i = 0; i < KEYS; i++) {
                open.keys()
                        .settle(claim(open.keys(), "@order-" + i), OUTCOME, Retention.of(Duration.ofDays(1)))
                        .toCompletableFuture()
                        .join();
            }
            open.keys()
                    .abandon(claim(open.keys(), "unknown"))
                    .toCompletableFuture()
                    .join();
        }
    }

    @Test
    void aTableOfPostgresIsFilledFromTheFile() throws Exception {
        Path file = directory.resolve("keys.csv");

        assertThat(run("keys", "export", "--with-responses", "--store", store, "--output", file.toString()))
                .as(err.toString())
                .isZero();

        assertThat(out.toString()).contains("exported: " + (KEYS + 1) + " keys");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (HikariDataSource server = TestPostgres.pool(TestPostgres.newDatabase(), 1)) {
            TestPostgres.execute(
                    server,
                    "CREATE TABLE semel_export (digest TEXT, namespace TEXT, scope TEXT, key TEXT, operation TEXT, state"
                            + " TEXT, claimed_at TIMESTAMPTZ, settled_at TIMESTAMPTZ, expires_at TIMESTAMPTZ, status INT,"
                            + " content_type TEXT, headers JSONB, body TEXT)");
            try (Connection connection = server.getConnection();
                    Reader rows = Files.newBufferedReader(file)) {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY semel_export FROM STDIN (FORMAT csv, HEADER)", rows);
            }
            assertThat(TestPostgres.number(
                            server,
                            "SELECT count(*) FROM semel_export WHERE key LIKE '@order-%' AND state = 'succeeded' AND status"
                                    + " = 201 AND expires_at > now() AND decode(body, 'base64') = '\\x3d312c220aff'"))
                    .isEqualTo(KEYS);
            assertThat(
                            TestPostgres.number(
                                    server,
                                    "SELECT count(*) FROM semel_export WHERE key = 'unknown' AND state = 'unknown' AND body IS NULL"))
                    .isEqualTo(1);
        }
    }

    @Test
    void theFileCanBeImportedAgain() throws Exception {
        Path file = directory.resolve("keys.csv");
        run("keys", "export", "--with-responses", "--store", store, "--output", file.toString());
        Path mapping = Files.writeString(directory.resolve("mapping.yaml"), """
                kind: operation
                columns:
                  namespace: namespace
                  scope: scope
                  key: key
                  operation: operation
                  state: state
                  status: status
                  content-type: contentType
                  headers: headers
                  body: body
                  created: claimedAt
                  settled: settledAt
                  expires: expiresAt
                states:
                  succeeded: succeeded
                  failed: failed
                  in-progress: [pending, lapsed, unknown]
                body-encoding: base64
                """);
        String other = "sqlite:" + directory.resolve("other.db");
        StoreUrls.open(other).close();

        int code = run(
                "keys",
                "import",
                "--from",
                file.toString(),
                "--map",
                mapping.toString(),
                "--in-progress",
                "hold",
                "--store",
                other);

        assertThat(code).as(out.toString() + err).isZero();
        assertThat(find(other, "@order-7").outcome()).isEqualTo(OUTCOME);
        assertThat(find(other, "unknown").state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void asJsonItIsOneObjectPerLine() throws Exception {
        Path file = directory.resolve("keys.json");

        assertThat(run(
                        "keys",
                        "export",
                        "--with-responses",
                        "--where",
                        "key=@order-7",
                        "--format",
                        "json",
                        "--store",
                        store,
                        "--output",
                        file.toString()))
                .isZero();

        JsonObject row = new JsonObject(Files.readString(file, StandardCharsets.UTF_8));
        assertThat(row.getString("key")).isEqualTo("@order-7");
        assertThat(Base64.getDecoder().decode(row.getString("body"))).isEqualTo(ODD);
    }

    @Test
    void responsesAreNotPrinted() {
        assertThat(run("keys", "export", "--with-responses", "--store", store)).isEqualTo(2);
        assertThat(err.toString()).contains("needs --output FILE");
    }

    private int run(String... args) {
        return SemelCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private static Lease claim(KeyStore keys, String name) {
        Claim claim = keys.claim(ClaimRequest.builder(Key.of("alice", name), "charge", Fingerprint.of(name))
                        .build())
                .toCompletableFuture()
                .join();
        return ((Claim.Acquired) claim).lease();
    }

    private static KeyRecord find(String url, String key) throws Exception {
        try (StoreUrls.OpenStore open = StoreUrls.open(url)) {
            return KeyStore.capability(open.keys(), Inspecting.class)
                    .orElseThrow()
                    .find(Key.of("alice", key).digest())
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
        }
    }
}
