package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.jdbc.sqlite.TestSqlite;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows as 0.1.0 writes them, in files that never change: later releases read them. */
class FirstReleaseRowsTest {

    private static final Retention LONG = Retention.of(Duration.ofDays(36_500));
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");
    private static final Key PENDING = Key.of("tenant", "pending");
    private static final Key UNKNOWN = Namespace.parse("v1:payments").key("Größe", "ключ");
    private static final Key SUCCEEDED = Key.of("tenant", "succeeded");
    private static final Key FAILED = Key.of("anybody", "failed");
    private static final Outcome CREATED = Outcome.succeeded()
            .format(1)
            .status(201)
            .contentType("application/json")
            .headers(List.of(new Header("Location", "/orders/19"), new Header("Set-Cookie", "a=1")))
            .payload("{\"id\":19}")
            .build();
    private static final Outcome REFUSED = Outcome.failed().status(409).build();

    enum Database {
        POSTGRES("SELECT setval('semel_key_token', 100)", any -> TestPostgres.pool(TestPostgres.newDatabase(), 4)),
        MARIADB("SELECT setval(semel_key_token, 100)", any -> TestMariaDb.newDatabase(4)),
        /** Its tokens begin at its clock. */
        MYSQL("DO 0", any -> TestMySql.newDatabase(4)),
        SQLITE("UPDATE semel_key_token SET last = 100", directory -> TestSqlite.pool(directory.resolve("keys.db")));

        /** The tokens that were given out are no part of the rows. */
        private final String tokens;

        private final Function<Path, HikariDataSource> make;

        Database(String tokens, Function<Path, HikariDataSource> make) {
            this.tokens = tokens;
            this.make = make;
        }

        HikariDataSource open(Path directory) {
            assumeTrue(this != MYSQL || TestMySql.isAvailable(), TestMySql.MISSING);
            return make.apply(directory);
        }

        String file() {
            return "0.1.0/" + name().toLowerCase(Locale.ROOT) + ".sql";
        }
    }

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void readsWhatTheFirstReleaseWrote(Database database) throws IOException {
        try (HikariDataSource pool = database.open(directory);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            TestPostgres.execute(pool, read(database.file()).split(";\n"));

            KeyRecord pending = find(store, PENDING);
            assertThat(pending.state()).isEqualTo(KeyState.LAPSED);
            assertThat(pending.attempt()).isEqualTo(2);
            assertThat(pending.traceId()).isEqualTo("a");
            assertThat(pending.steps()).containsOnlyKeys("charge");
            assertThat(pending.steps().get("charge")).containsExactly(1, 2, 3);
            assertThat(pending.history()).isNotEmpty();
            assertThat(pending.retention()).isEqualTo(LONG);
            assertThat(answer(store.claim(claim(PENDING).takeOver(true).build())))
                    .isInstanceOfSatisfying(Claim.Acquired.class, next -> {
                        assertThat(next.lease().token()).isGreaterThan(pending.token());
                        assertThat(next.steps()).containsOnlyKeys("charge");
                    });

            assertThat(find(store, UNKNOWN).state()).isEqualTo(KeyState.UNKNOWN);
            assertThat(find(store, UNKNOWN).key()).isEqualTo(UNKNOWN);

            assertThat(find(store, SUCCEEDED).outcome())
                    .usingRecursiveComparison()
                    .isEqualTo(CREATED);
            assertThat(find(store, FAILED).outcome()).usingRecursiveComparison().isEqualTo(REFUSED);
            for (Key settled : List.of(SUCCEEDED, FAILED)) {
                assertThat(answer(store.claim(claim(settled).build()))).isInstanceOf(Claim.Settled.class);
            }
            ClaimRequest other = ClaimRequest.builder(SUCCEEDED, "charge", Fingerprint.of("another request"))
                    .lease(Duration.ofMinutes(5))
                    .build();
            assertThat(answer(store.claim(other))).isInstanceOf(Claim.Mismatch.class);
        }
    }

    /** Once a release has it, a script stays as it is but for its comments: the next change of the tables is version-2.sql. */
    @ParameterizedTest
    @CsvSource({
        "postgres, 2d4a9c630ab63393",
        "mariadb, 03208df8f9aa1ff4",
        "mysql, c809d541b88285ab",
        "sqlite, 36f4d284871b3f15"
    })
    void theTablesOfTheFirstReleaseStayAsTheyAre(String database, String digest)
            throws IOException, NoSuchAlgorithmException {
        String script = read(database + "/version-1.sql")
                .replaceAll("(?m)[ \\t]*--.*$", "")
                .replaceAll("\\n+", "\n");
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));

        assertThat(HexFormat.of().formatHex(sha256, 0, 8)).isEqualTo(digest);
    }

    /** Writes the files down: before a release, for a database that is new in it. */
    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "rows.written", matches = ".+")
    void write(Database database) throws Exception {
        try (HikariDataSource pool = database.open(directory);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            answer(store.claim(claim(PENDING).lease(Duration.ofNanos(1000)).build()));
            Lease pending = acquired(
                    store,
                    claim(PENDING).lease(Duration.ofMillis(200)).takeOver(true).build());
            answer(store.recordStep(pending, "charge", new byte[] {1, 2, 3}));
            answer(store.abandon(acquired(store, claim(UNKNOWN).build())));
            answer(store.settle(acquired(store, claim(SUCCEEDED).build()), CREATED, LONG));
            answer(store.settle(acquired(store, claim(FAILED).build()), REFUSED, LONG));
            Path file = Path.of(System.getProperty("rows.written")).resolve(database.file());
            Files.createDirectories(file.getParent());
            Files.writeString(file, RowDump.inserts(pool, "semel_key") + database.tokens + ";\n");
        }
    }

    private static ClaimRequest.Builder claim(Key key) {
        return ClaimRequest.builder(key, "charge", FINGERPRINT)
                .lease(Duration.ofMinutes(5))
                .retention(LONG)
                .traceId("a trace");
    }

    private static Lease acquired(JdbcKeyStore store, ClaimRequest request) {
        return ((Claim.Acquired) answer(store.claim(request))).lease();
    }

    private static KeyRecord find(JdbcKeyStore store, Key key) {
        return answer(store.find(key.digest())).orElseThrow();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static String read(String resource) throws IOException {
        try (InputStream in = FirstReleaseRowsTest.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
