package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What the contract cannot ask of every store. */
class PostgresStoreTest {

    private static final Retention KEPT = Retention.of(Duration.ofHours(1));

    private static HikariDataSource pool;
    private static JdbcKeyStore store;

    @BeforeAll
    static void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 8);
        store = JdbcKeyStore.builder(pool).createIfMissing().build();
    }

    @AfterAll
    static void disconnect() {
        store.close();
        pool.close();
    }

    @BeforeEach
    void clear() {
        TestPostgres.execute(pool, "TRUNCATE semel_key");
    }

    @Test
    void keepsAMebibyteByteForByte() {
        byte[] payload = new byte[1 << 20];
        new Random(7).nextBytes(payload);

        assertReplayed(Key.of("tenant", "large"), payload);
    }

    @Test
    void keepsAnyBytesAndShowsAsJsonWhatIsJson() throws SQLException {
        assertReplayed(Key.of("tenant", "json"), bytes("{\"total\": 12.50, \"total\": 13}"));
        assertReplayed(Key.of("tenant", "zero"), bytes("{\"a\":\"\\u0000\"}"));
        assertReplayed(Key.of("tenant", "raw zero"), new byte[] {'"', 0, '"'});
        assertReplayed(Key.of("tenant", "no text"), new byte[] {(byte) 0xc3, (byte) 0x28});
        assertReplayed(Key.of("tenant", "empty"), new byte[0]);
        assertReplayed(Key.of("tenant", "deep"), bytes("[".repeat(100_000)));

        assertThat(text("SELECT body->>'total' FROM semel_key_view WHERE key = 'json'"))
                .isEqualTo("13");
        assertThat(text("SELECT string_agg(key, ',' ORDER BY key) FROM semel_key_view WHERE body IS NULL"))
                .isEqualTo("deep,empty,no text,raw zero,zero");
    }

    @Test
    void keepsKeysOfTheLongestKindAndManyScopes() {
        String longest = new String(Character.toChars(0x1F680)).repeat(Key.MAX_LENGTH);
        assertReplayed(Key.of(longest, longest), bytes("rocket"));

        List<CompletableFuture<Claim>> claims = IntStream.range(0, 10_000)
                .mapToObj(i -> store.claim(request(Key.of("scope-" + i, "the same value")))
                        .toCompletableFuture())
                .toList();

        assertThat(claims).allMatch(claim -> claim.join() instanceof Claim.Acquired);
    }

    @Test
    void ofALongHistoryTheMiddleIsLeftOut() {
        Key key = Key.of("tenant", "often taken over");
        acquire(key);
        for (int attempt = 1; attempt <= 60; attempt++) {
            TestPostgres.execute(pool, "UPDATE semel_key SET lease_until = lease_until - interval '1 day'");
            assertThat(answer(store.claim(takingOver(key)))).isInstanceOf(Claim.Acquired.class);
        }

        assertThat(answer(store.find(key.digest())).orElseThrow().history())
                .extracting(KeyRecord.HistoryEntry::attempt)
                .containsExactlyElementsOf(IntStream.concat(IntStream.rangeClosed(1, 5), IntStream.rangeClosed(11, 60))
                        .boxed()
                        .toList());
    }

    private static ClaimRequest takingOver(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(1))
                .takeOver(true)
                .build();
    }

    @Test
    void saysThatAPayloadIsTooLargeBeforeTheDatabaseDoes() {
        Lease lease = acquire(Key.of("tenant", "too large"));
        Outcome outcome = Outcome.succeeded()
                .payload(new byte[JdbcKeyStore.MAX_PAYLOAD + 1])
                .build();

        assertThatThrownBy(() -> answer(store.settle(lease, outcome, KEPT)))
                .hasCauseInstanceOf(PayloadTooLargeException.class)
                .hasMessageContaining(String.valueOf(JdbcKeyStore.MAX_PAYLOAD));
        assertThat(answer(store.settle(
                        lease, Outcome.succeeded().payload((byte[]) null).build(), KEPT)))
                .isTrue();
    }

    /** PostgreSQL refuses the character 0 in text, and with it the whole statement. */
    @Test
    void aRequestThatTheDatabaseRefusesDoesNotFailItsNeighbours() {
        List<CompletableFuture<Claim>> claims = IntStream.range(0, 50)
                .mapToObj(i -> store.claim(ClaimRequest.builder(
                                        Key.of("tenant", "key-" + i),
                                        i == 25 ? "bad\0operation" : "charge",
                                        Fingerprint.of("body"))
                                .lease(Duration.ofMinutes(1))
                                .build())
                        .toCompletableFuture())
                .toList();

        for (int i = 0; i < claims.size(); i++) {
            CompletableFuture<Claim> claim = claims.get(i);
            if (i == 25) {
                assertThatThrownBy(claim::join).hasCauseInstanceOf(StoreException.class);
            } else {
                assertThat(claim.join()).isInstanceOf(Claim.Acquired.class);
            }
        }
    }

    @Test
    void storesThatRaceForTheSameKeysDoNotDeadlock() throws SQLException {
        long before = deadlocks();
        AtomicInteger acquired = new AtomicInteger();
        int keys = 2_000;
        try (JdbcKeyStore second = JdbcKeyStore.builder(pool).build()) {
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (JdbcKeyStore node : List.of(store, second)) {
                List<Integer> order =
                        new ArrayList<>(IntStream.range(0, keys).boxed().toList());
                Collections.shuffle(order, new Random(done.size()));
                for (int i : order) {
                    done.add(node.claim(request(Key.of("race", "key-" + i)))
                            .thenCompose(claim -> {
                                if (!(claim instanceof Claim.Acquired won)) {
                                    return CompletableFuture.completedStage(true);
                                }
                                acquired.incrementAndGet();
                                return node.settle(
                                        won.lease(), Outcome.succeeded().build(), KEPT);
                            })
                            .thenAccept(held -> assertThat(held).isTrue())
                            .toCompletableFuture());
                }
            }
            done.forEach(CompletableFuture::join);
        }

        assertThat(acquired).hasValue(keys);
        assertThat(deadlocks()).isEqualTo(before);
    }

    @Test
    void leavesConnectionsOfTheApplicationsPoolAsTheyWere() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(pool);
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        try (HikariDataSource manual = new HikariDataSource(config)) {
            try (JdbcKeyStore sharing = JdbcKeyStore.builder(manual).build()) {
                Lease lease = ((Claim.Acquired) answer(sharing.claim(request(Key.of("tenant", "shared"))))).lease();
                assertThat(answer(sharing.settle(lease, Outcome.succeeded().build(), KEPT)))
                        .isTrue();
            }
            try (Connection connection = manual.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.getNetworkTimeout()).isZero();
            }
        }
        assertThat(answer(store.claim(request(Key.of("tenant", "shared"))))).isInstanceOf(Claim.Settled.class);
    }

    /** Somebody may have turned it off for the whole database, or for this user. */
    @Test
    void commitsSynchronouslyWhateverTheDefault() throws SQLException {
        Lease lease = acquire(Key.of("tenant", "durable"));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL synchronous_commit = off");

            new PostgresKeyTable(new TableName("public", "semel_key"), false)
                    .settle(
                            connection,
                            List.of(new SettleRequest(lease, Outcome.succeeded().build(), KEPT)));

            try (ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("on");
            }
            connection.rollback();
        }
    }

    @Test
    void aClaimThatTravelsAloneCommitsSynchronouslyAndDoesNotWaitLong() throws SQLException {
        String database = TestPostgres.newDatabase();
        TestPostgres.execute(pool, "ALTER DATABASE " + database + " SET synchronous_commit = off");
        try (HikariDataSource one = TestPostgres.pool(database, 1);
                JdbcKeyStore once = JdbcKeyStore.builder(one).createIfMissing().build()) {
            TestPostgres.execute(
                    one,
                    "CREATE TABLE noted (settings text)",
                    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO noted VALUES ("
                            + "current_setting('synchronous_commit') || ', ' || current_setting('lock_timeout'));"
                            + " RETURN NULL; END $$",
                    "CREATE TRIGGER note AFTER INSERT ON semel_key FOR EACH ROW EXECUTE FUNCTION note()");

            assertThat(answer(once.claim(request(Key.of("tenant", "new"))))).isInstanceOf(Claim.Acquired.class);
            assertThat(answer(once.claim(request(Key.of("tenant", "new"))))).isInstanceOf(Claim.InFlight.class);
            assertThat(answer(once.claim(request(Key.of("tenant", "other"))))).isInstanceOf(Claim.Acquired.class);

            assertThat(text(one, "SELECT string_agg(settings, '; ') FROM noted"))
                    .isEqualTo("on, 50ms; on, 50ms");
            assertThat(text(
                            one,
                            "SELECT current_setting('synchronous_commit') || ', ' || current_setting('lock_timeout')"))
                    .isEqualTo("off, 0");
        }
    }

    @Test
    void saysThatItIsUnavailableWhenThereIsNoDatabase() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://localhost:1/none");

        assertThatThrownBy(() -> JdbcKeyStore.builder(nowhere).build())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("could not connect");
    }

    @Test
    void countsALargeTablePartByPart() throws SQLException {
        int keys = 5_000;
        Lease unknown = acquire(Key.of("tenant", "unknown"));
        assertThat(answer(store.abandon(unknown))).isTrue();
        List<CompletableFuture<Claim>> claims = IntStream.range(0, keys)
                .mapToObj(
                        i -> store.claim(request(Key.of("tenant", "key-" + i))).toCompletableFuture())
                .toList();
        claims.forEach(CompletableFuture::join);
        TableName table = new TableName("public", "semel_key");
        try (Connection connection = pool.getConnection()) {
            StoreStatistics counted = new PostgresStatistics(table, 1_000_000).read(connection);
            assertThat(counted.exact()).isTrue();
            assertThat(counted.keys())
                    .containsOnly(Map.entry(KeyState.PENDING, (long) keys), Map.entry(KeyState.UNKNOWN, 1L));
            assertThat(counted.bytes()).isPositive();

            int parts = 8;
            PostgresStatistics census =
                    new PostgresStatistics(table, PostgresBlocks.count(connection, table) / parts + 1);
            StoreStatistics first = census.read(connection);
            assertThat(first.exact()).isFalse();
            assertThat(first.keys().get(KeyState.PENDING)).isBetween(keys / 2L, keys * 2L);
            for (int part = 2; part < parts; part++) {
                census.read(connection);
            }
            StoreStatistics all = census.read(connection);
            assertThat(all.exact()).isFalse();
            assertThat(all.keys()).isEqualTo(counted.keys());
            assertThat(all.pendingAge().max())
                    .isPositive()
                    .isGreaterThanOrEqualTo(all.pendingAge().p99());

            // What needs somebody is looked at each time, in whatever part it is.
            assertThat(answer(store.settle(unknown, Outcome.succeeded().build(), KEPT)))
                    .isTrue();
            assertThat(census.read(connection).keys()).doesNotContainKey(KeyState.UNKNOWN);
        }
    }

    @Test
    void refusesACursorThatIsNotItsOwn() {
        KeyQuery query = KeyQuery.builder(10).cursor("1; DROP TABLE semel_key").build();

        assertThatThrownBy(() -> answer(store.page(query)))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cursor");
    }

    private static void assertReplayed(Key key, byte[] payload) {
        Outcome outcome = Outcome.succeeded().payload(payload).build();
        assertThat(answer(store.settle(acquire(key), outcome, KEPT))).isTrue();
        assertThat(answer(store.claim(request(key))))
                .isInstanceOfSatisfying(
                        Claim.Settled.class,
                        settled -> assertThat(settled.outcome()).isEqualTo(outcome));
    }

    private static long deadlocks() throws SQLException {
        return Long.parseLong(text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"));
    }

    private static String text(String query) throws SQLException {
        return text(pool, query);
    }

    private static String text(HikariDataSource database, String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static Lease acquire(Key key) {
        return ((Claim.Acquired) answer(store.claim(request(key)))).lease();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
