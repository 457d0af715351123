package dev.semel.jdbc.postgres.generations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.TestDatabase;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging.Purged;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Purge of a table of more blocks than one statement walks. */
class PostgresPurgeTest {

    private static final int KEYS = 9_500;
    private static final int LEFT_PENDING = 100;
    private static final int LIMIT = 700;
    private static final Retention BRIEF = Retention.of(Duration.ofMinutes(1));

    private static HikariDataSource pool;
    private static TestDatabase database;

    @BeforeAll
    static void connect() {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        pool = TestPostgres.pool(name, 8);
        database = TestDatabase.connect(pool);
    }

    @AfterAll
    static void disconnect() {
        database.close();
    }

    @Test
    void severalNodesRemoveEverythingThatExpiredOnceAndNothingElse() {
        try (JdbcKeyStore first = database.openStore();
                JdbcKeyStore second = database.openStore()) {
            List<CompletableFuture<Boolean>> settled = IntStream.range(0, KEYS)
                    .mapToObj(i -> first.claim(request(i))
                            .thenCompose(claim -> i < LEFT_PENDING
                                    ? CompletableFuture.completedStage(true)
                                    : first.settle(
                                            ((Claim.Acquired) claim).lease(),
                                            Outcome.succeeded().build(),
                                            BRIEF))
                            .toCompletableFuture())
                    .toList();
            assertThat(settled).allMatch(CompletableFuture::join);
            assertThat(purgeAll(first)).isZero();

            database.advance(Duration.ofMinutes(2));
            CompletableFuture<Long> besides = CompletableFuture.supplyAsync(() -> purgeAll(second));
            long removed = purgeAll(first) + besides.join();
            // What one node held while the other walked past it is left for the next time.
            removed += purgeAll(first);

            assertThat(removed).isEqualTo(KEYS - LEFT_PENDING);
            try (JdbcKeyStore fresh = database.openStore()) {
                assertThat(fresh.statistics().toCompletableFuture().join().keys())
                        .containsExactly(Map.entry(KeyState.LAPSED, (long) LEFT_PENDING));
            }
        }
    }

    @Test
    void aTombstoneIsRememberedInFewBytesAfterItsAuditWindow() throws SQLException {
        Retention remembered = Retention.of(Duration.ofMinutes(1))
                .withAudit(Duration.ofMinutes(10))
                .withTombstone(Duration.ofDays(300));
        try (JdbcKeyStore store = database.openStore()) {
            ClaimRequest request = request(-1);
            Lease lease =
                    ((Claim.Acquired) store.claim(request).toCompletableFuture().join()).lease();
            Outcome large = Outcome.succeeded().payload(new byte[50_000]).build();
            store.settle(lease, large, remembered).toCompletableFuture().join();

            database.advance(Duration.ofMinutes(5));
            purgeAll(store);
            KeyRecord expired = store.find(request.key().digest())
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
            assertThat(expired.state()).isEqualTo(KeyState.EXPIRED);
            assertThat(expired.outcome()).isEqualTo(large);

            database.advance(Duration.ofMinutes(10));
            assertThat(purgeAll(store)).isZero();
            assertThat(bytesOf(request.key())).isLessThan(300);
            assertThat(store.claim(request(-1)).toCompletableFuture().join()).isInstanceOf(Claim.Expired.class);

            database.advance(Duration.ofDays(301));
            assertThat(purgeAll(store)).isOne();
        }
    }

    private static long bytesOf(Key key) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT pg_column_size(k.*) FROM public.semel_key k WHERE digest = '"
                                + key.digest().asUuid() + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static long purgeAll(JdbcKeyStore store) {
        long removed = 0;
        Purged purged;
        do {
            purged = store.purge(LIMIT).toCompletableFuture().join();
            assertThat(purged.removed()).isLessThanOrEqualTo(LIMIT);
            removed += purged.removed();
        } while (purged.more());
        return removed;
    }

    private static ClaimRequest request(int number) {
        return ClaimRequest.builder(Key.of("tenant", "key-" + number), "charge", Fingerprint.of("body"))
                .lease(Duration.ofSeconds(30))
                .build();
    }
}
