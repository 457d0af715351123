package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What it costs to count a large table. {@code -Dsemel.statistics.keys=5000000} does it for as many keys, in parts of the
 * real size, and prints how long each count takes.
 */
class PostgresStatisticsTest {

    private static final TableName TABLE = new TableName("public", "semel_key");
    private static final int KEYS = Integer.getInteger("semel.statistics.keys", 20_000);
    private static final boolean LARGE = KEYS > 20_000;
    private static final int PARTS = 10;

    private static final String FILL = """
            INSERT INTO semel_key (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint, scope, key,
                operation, state, status, format, settled_at, expires_at, headers, body)
            SELECT key::uuid, key::uuid, n, now(), now(), 1, decode(rpad('01', 66, 'a'), 'hex'), 'customer-17', key,
                'charge', 2, 201, 1, now(), now() + interval '24 h', convert_to('application/json', 'UTF8'),
                convert_to(repeat(key, 10), 'UTF8')
            FROM (SELECT n, gen_random_uuid()::text AS key FROM generate_series(1, %d) AS n) AS standing""";

    /** One owner that hangs since an hour, and one key that nobody knows of, somewhere among them. */
    private static final String TROUBLE = """
            UPDATE semel_key SET state = CASE WHEN token = %d THEN 0 ELSE 1 END,
                claimed_at = now() - interval '1 hour', lease_until = now() + interval '1 hour',
                status = NULL, settled_at = NULL, expires_at = NULL, body = NULL
            WHERE token IN (%1$d, %d)""";

    @Test
    void countsABoundedNumberOfBlocksAndMissesNothing() throws SQLException {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 2)) {
            JdbcKeyStore.builder(pool).createIfMissing().build().close();
            TestPostgres.execute(
                    pool,
                    // As full as pages are that were claimed to 20 % and settled since.
                    "ALTER TABLE semel_key SET (fillfactor = 60)",
                    FILL.formatted(KEYS),
                    TROUBLE.formatted(KEYS / 3, KEYS / 2),
                    "VACUUM ANALYZE semel_key");
            try (Connection connection = pool.getConnection()) {
                long blocks = PostgresBlocks.count(connection, TABLE);
                long part = LARGE ? 16 * 1024 : blocks / PARTS + 1;
                int parts = (int) ((blocks + part - 1) / part);
                PostgresStatistics census = LARGE ? new PostgresStatistics(TABLE) : new PostgresStatistics(TABLE, part);
                List<Long> millis = new ArrayList<>();
                long before = blocksTouched(connection);
                StoreStatistics latest = timed(census, connection, millis);
                for (int count = 2; count <= parts; count++) {
                    latest = timed(census, connection, millis);
                }

                // Each block once in a whole round, and a few for what is looked at each time.
                assertThat(blocksTouched(connection) - before).isBetween(blocks / 2, blocks + 20L * parts);
                assertThat(latest.keys().get(KeyState.PENDING)).isEqualTo(1);
                assertThat(latest.keys().get(KeyState.UNKNOWN)).isEqualTo(1);
                assertThat(latest.keys().get(KeyState.SUCCEEDED)).isEqualTo(KEYS - 2);
                assertThat(latest.pendingAge().max()).isGreaterThan(Duration.ofMinutes(59));
                for (int i : IntStream.range(0, 3).toArray()) {
                    assertThat(timed(census, connection, millis).pendingAge().max())
                            .as("the stuck key is in another part, count %d", i)
                            .isGreaterThan(Duration.ofMinutes(59));
                }
                if (LARGE) {
                    report(blocks, parts, millis);
                }
            }
        }
        TestPostgres.execute(TestPostgres.server().getPostgresDatabase(), "DROP DATABASE " + database);
    }

    private static StoreStatistics timed(PostgresStatistics census, Connection connection, List<Long> millis)
            throws SQLException {
        long start = System.nanoTime();
        StoreStatistics statistics = census.read(connection);
        millis.add((System.nanoTime() - start) / 1_000_000);
        return statistics;
    }

    private static long blocksTouched(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_stat_force_next_flush()");
            statement.execute("SELECT pg_stat_clear_snapshot()");
            try (ResultSet row = statement.executeQuery("SELECT heap_blks_read + heap_blks_hit"
                    + " FROM pg_statio_user_tables WHERE relname = 'semel_key'")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void report(long blocks, int parts, List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.printf(
                "%d keys in %d MB: a count takes %d ms (median), %d ms at most; a round is %d counts%n",
                KEYS, blocks / 128, sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1), parts);
    }
}
