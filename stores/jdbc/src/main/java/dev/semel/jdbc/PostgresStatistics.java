package dev.semel.jdbc;

import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts keys: all of them in a table of moderate size, and those of randomly chosen blocks in a larger one. */
final class PostgresStatistics {

    /** 256 MB, which are counted in a fraction of a second. */
    private static final long MOST_BLOCKS = 32 * 1024;

    private static final String COUNT = """
            SELECT now() AS at,
                count(*) FILTER (WHERE state = 0 AND lease_until > now()) AS pending,
                count(*) FILTER (WHERE state = 0 AND lease_until <= now()) AS lapsed,
                count(*) FILTER (WHERE state = 1) AS unknown,
                count(*) FILTER (WHERE state = 2 AND expires_at > now()) AS succeeded,
                count(*) FILTER (WHERE state = 3 AND expires_at > now()) AS failed,
                count(*) FILTER (WHERE state IN (2, 3) AND expires_at <= now()) AS expired,
                percentile_disc(0.50) WITHIN GROUP (ORDER BY age) FILTER (WHERE state = 0) AS p50,
                percentile_disc(0.95) WITHIN GROUP (ORDER BY age) FILTER (WHERE state = 0) AS p95,
                percentile_disc(0.99) WITHIN GROUP (ORDER BY age) FILTER (WHERE state = 0) AS p99,
                max(age) FILTER (WHERE state = 0) AS oldest,
                max(overdue) FILTER (WHERE state IN (2, 3)) AS lag,
                pg_total_relation_size('{key}'::regclass) AS bytes,
                pg_stat_get_dead_tuples('{key}'::regclass) AS dead_rows
            FROM (
                SELECT state, lease_until, expires_at,
                    extract(epoch FROM now() - claimed_at)::float8 AS age,
                    extract(epoch FROM now() - coalesce(purge_at, expires_at))::float8 AS overdue
                FROM {key} TABLESAMPLE SYSTEM (?)
            ) k""";

    private final TableName table;
    private final long mostBlocks;

    PostgresStatistics(TableName table) {
        this(table, MOST_BLOCKS);
    }

    PostgresStatistics(TableName table, long mostBlocks) {
        this.table = table;
        this.mostBlocks = mostBlocks;
    }

    StoreStatistics read(Connection connection) throws SQLException {
        long blocks = PostgresBlocks.count(connection, table);
        double share = blocks <= mostBlocks ? 1 : (double) mostBlocks / blocks;
        try (PreparedStatement statement = PostgresDialect.prepare(connection, table.in(COUNT))) {
            statement.setDouble(1, share * 100);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new StoreStatistics(
                        PostgresRows.time(row, "at"),
                        counts(row, share),
                        share == 1,
                        new PendingAge(
                                seconds(row, "p50"), seconds(row, "p95"), seconds(row, "p99"), seconds(row, "oldest")),
                        row.getLong("bytes"),
                        row.getLong("dead_rows"),
                        seconds(row, "lag"));
            }
        }
    }

    private static Map<KeyState, Long> counts(ResultSet row, double share) throws SQLException {
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            long count = Math.round(row.getLong(state.name().toLowerCase(Locale.ROOT)) / share);
            if (count > 0) {
                counts.put(state, count);
            }
        }
        return counts;
    }

    private static Duration seconds(ResultSet row, String column) throws SQLException {
        double seconds = Math.max(0, row.getDouble(column));
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1_000);
    }
}
