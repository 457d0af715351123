package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts keys in SQLite. Those without an outcome are few and have an index, so that they are counted each time. Those
 * with one are counted in rounds, a bounded number of rows each time; the numbers of the last complete round are shown
 * until the next is done. Readers do not stop the writer, so that counting only costs time.
 */
final class SqliteStatistics {

    private static final int ROWS = 100_000;

    private static final String SETTLED = """
            SELECT
                count(*) AS counted,
                max(id) AS last,
                count(*) FILTER (WHERE state = 2 AND expires_at > ?1) AS succeeded,
                count(*) FILTER (WHERE state = 3 AND expires_at > ?1) AS failed,
                count(*) FILTER (WHERE state >= 2 AND expires_at <= ?1) AS expired,
                min(purge_at) AS purge_at
            FROM (SELECT id, state, expires_at, purge_at FROM {key} WHERE id > ?2 ORDER BY id LIMIT ?3)""";

    private static final String UNSETTLED =
            "SELECT state, claimed_at, lease_until FROM {key} WHERE state < 2 ORDER BY claimed_at DESC";

    private static final String SIZE = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";

    private final TableName table;
    private final int rows;
    private Round round = new Round();
    private Round last = round;
    private boolean exact;

    /** The counts from the beginning of the table to a row. */
    private static final class Round {

        private final Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        private long oldestPurge = Long.MAX_VALUE;
        private long position;
        private int counts;
    }

    SqliteStatistics(TableName table) {
        this(table, ROWS);
    }

    SqliteStatistics(TableName table, int rows) {
        this.table = table;
        this.rows = rows;
    }

    synchronized StoreStatistics read(Connection connection) throws SQLException {
        long now = SqliteTransaction.now(connection);
        countSettled(connection, now);
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        last.keys.forEach((state, count) -> add(keys, state, count));
        List<Duration> youngestFirst = countUnsettled(connection, now, keys);
        return StoreStatistics.builder(Micros.toInstant(now), keys)
                .exact(exact)
                .pendingAge(PendingAge.of(youngestFirst))
                .bytes(PLAIN.one(connection, SIZE, row -> row.getLong(1)))
                .purgeLag(Micros.toDuration(Math.max(0, now - Math.min(now, last.oldestPurge))))
                .build();
    }

    private void countSettled(Connection connection, long now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(table.in(SETTLED))) {
            statement.setLong(1, now);
            statement.setLong(2, round.position);
            statement.setInt(3, rows);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                add(round.keys, KeyState.SUCCEEDED, row.getLong("succeeded"));
                add(round.keys, KeyState.FAILED, row.getLong("failed"));
                add(round.keys, KeyState.EXPIRED, row.getLong("expired"));
                long purge = row.getLong("purge_at");
                if (!row.wasNull()) {
                    round.oldestPurge = Math.min(round.oldestPurge, purge);
                }
                round.position = row.getLong("last");
                round.counts++;
                if (row.getInt("counted") < rows) {
                    exact = round.counts == 1;
                    last = round;
                    round = new Round();
                }
            }
        }
    }

    private List<Duration> countUnsettled(Connection connection, long now, Map<KeyState, Long> keys)
            throws SQLException {
        List<Duration> youngestFirst = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(table.in(UNSETTLED));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                if (row.getInt("state") == KeyRow.UNKNOWN) {
                    add(keys, KeyState.UNKNOWN, 1);
                } else {
                    add(keys, row.getLong("lease_until") > now ? KeyState.PENDING : KeyState.LAPSED, 1);
                    youngestFirst.add(Micros.toDuration(Math.max(0, now - row.getLong("claimed_at"))));
                }
            }
        }
        return youngestFirst;
    }

    private static void add(Map<KeyState, Long> keys, KeyState state, long count) {
        if (count > 0) {
            keys.merge(state, count, Long::sum);
        }
    }
}
