package dev.semel.jdbc;

import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts keys in SQLite. Readers do not stop the writer, so that counting only costs time. */
final class SqliteStatistics {

    private static final String COUNT = """
            SELECT
                count(*) FILTER (WHERE state = 0 AND lease_until > ?1) AS pending,
                count(*) FILTER (WHERE state = 0 AND lease_until <= ?1) AS lapsed,
                count(*) FILTER (WHERE state = 1) AS unknown,
                count(*) FILTER (WHERE state = 2 AND expires_at > ?1) AS succeeded,
                count(*) FILTER (WHERE state = 3 AND expires_at > ?1) AS failed,
                count(*) FILTER (WHERE state >= 2 AND expires_at <= ?1) AS expired,
                max(0, ?1 - coalesce(min(purge_at), ?1)) AS lag
            FROM {key}""";

    private final TableName table;

    SqliteStatistics(TableName table) {
        this.table = table;
    }

    StoreStatistics read(Connection connection) throws SQLException {
        long now = SqliteTransaction.now(connection);
        try (PreparedStatement statement = connection.prepareStatement(table.in(COUNT))) {
            statement.setLong(1, now);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new StoreStatistics(
                        KeyRow.instant(now),
                        counts(row),
                        true,
                        pendingAge(connection, now),
                        size(connection),
                        -1,
                        KeyRow.micros(row.getLong("lag")));
            }
        }
    }

    private static Map<KeyState, Long> counts(ResultSet row) throws SQLException {
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            long count = row.getLong(state.name().toLowerCase(Locale.ROOT));
            if (count > 0) {
                counts.put(state, count);
            }
        }
        return counts;
    }

    private PendingAge pendingAge(Connection connection, long now) throws SQLException {
        List<Duration> youngestFirst = new ArrayList<>();
        String sql = table.in("SELECT claimed_at FROM {key} WHERE state = 0 AND state < 2 ORDER BY claimed_at DESC");
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                youngestFirst.add(KeyRow.micros(Math.max(0, now - rows.getLong(1))));
            }
        }
        return youngestFirst.isEmpty()
                ? PendingAge.NONE
                : new PendingAge(
                        rank(youngestFirst, 0.50),
                        rank(youngestFirst, 0.95),
                        rank(youngestFirst, 0.99),
                        rank(youngestFirst, 1));
    }

    private static Duration rank(List<Duration> sorted, double quantile) {
        return sorted.get((int) Math.ceil(quantile * sorted.size()) - 1);
    }

    private static long size(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
