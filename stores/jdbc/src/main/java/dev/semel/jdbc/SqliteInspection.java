package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.ErasureNote;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.KeyLife;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people and maintenance do in SQLite. Rows are walked in the order of their ids, a bounded stretch at a time. */
final class SqliteInspection implements Inspection {

    private static final int STRETCH = 20_000;
    private static final long MOST_BYTES = 16 << 20;

    private static final String PAGE = """
            SELECT *
            FROM {key}
            WHERE id > ? AND id <= ?
                AND (?3 IS NULL OR operation = ?3) AND (?4 IS NULL OR scope = ?4) AND (?5 IS NULL OR key = ?5)
            ORDER BY id""";

    private final SqliteTransaction writer;
    private final TableName table;
    private final SqliteStatistics statistics;
    private long purgedUpTo;

    SqliteInspection(TableName table, SqliteTransaction writer) {
        this.table = table;
        this.writer = writer;
        this.statistics = new SqliteStatistics(table);
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        long now = SqliteTransaction.now(connection);
        try (PreparedStatement statement =
                connection.prepareStatement(table.in("SELECT * FROM {key} WHERE digest = ?"))) {
            statement.setBytes(1, KeyRow.bytes(digest));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new KeyRow(row, now).toRecord()) : Optional.empty();
            }
        }
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        long after = cursor(query.cursor());
        long last = lastId(connection);
        long end = unsettled(query.state()) ? last : Math.min(last, after + STRETCH);
        String sql = unsettled(query.state()) ? PAGE.replace("ORDER BY", "AND state < 2 ORDER BY") : PAGE;
        long now = SqliteTransaction.now(connection);
        try (PreparedStatement statement = connection.prepareStatement(table.in(sql))) {
            statement.setLong(1, after);
            statement.setLong(2, end);
            statement.setString(3, query.operation());
            statement.setString(4, query.scope());
            statement.setString(5, query.value());
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, query, now, end < last ? Long.toString(end) : null);
            }
        }
    }

    private static KeyPage read(ResultSet rows, KeyQuery query, long now, @Nullable String nextStretch)
            throws SQLException {
        List<KeyRecord> records = new ArrayList<>();
        long bytes = 0;
        while (rows.next()) {
            KeyRow row = new KeyRow(rows, now);
            KeyRecord record = row.toRecord();
            if (query.state() != null && query.state() != record.state()) {
                continue;
            }
            records.add(record);
            bytes += row.weight();
            if (records.size() == query.limit() || bytes >= MOST_BYTES) {
                return new KeyPage(records, Long.toString(row.id()));
            }
        }
        return new KeyPage(records, nextStretch);
    }

    private static boolean unsettled(@Nullable KeyState state) {
        return state == KeyState.PENDING || state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }

    private static long cursor(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        if (!cursor.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("not a cursor of this store: \"" + cursor + "\"");
        }
        return Long.parseLong(cursor);
    }

    private long lastId(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement(table.in("SELECT coalesce(max(id), 0) FROM {key}"));
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public Instant now(Connection connection) throws SQLException {
        return KeyRow.instant(SqliteTransaction.now(connection));
    }

    @Override
    public StoreStatistics statistics(Connection connection) throws SQLException {
        return statistics.read(connection);
    }

    @Override
    public boolean resolve(Connection connection, KeyDigest digest, long token, Resolution resolution, String reason)
            throws SQLException {
        return change(
                connection,
                digest,
                resolution,
                (key, asked, moment) -> KeyLife.resolve(key, token, asked, reason, moment));
    }

    private <Q> boolean change(Connection connection, KeyDigest digest, Q request, Decision<Q, Boolean> decision)
            throws SQLException {
        return writer.run(connection, now -> {
            try (SqliteRows rows = new SqliteRows(connection, table, now)) {
                return rows.change(digest, request, decision).answer();
            }
        });
    }

    @Override
    public boolean noteErasure(Connection connection, ErasureNote note) {
        return false;
    }

    @Override
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return change(connection, digest, token, (key, asked, moment) -> KeyLife.erase(key, asked));
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        return writer.run(connection, now -> {
            SqliteClaims.raiseTokens(connection, table, record.token());
            try (SqliteRows rows = new SqliteRows(connection, table, now)) {
                return rows.change(
                                record.key().digest(),
                                record,
                                (key, asked, moment) -> KeyLife.importRecord(key, asked, asOf, moment))
                        .answer();
            }
        });
    }

    /** Removes what has outlived its retention from the next stretch of rows, in circles. */
    @Override
    public synchronized Purged purge(Connection connection, int limit) throws SQLException {
        long last = lastId(connection);
        long first = purgedUpTo >= last ? 0 : purgedUpTo;
        long end = Math.min(last, first + STRETCH);
        String sql = table.in("DELETE FROM {key} WHERE id IN (SELECT id FROM {key} WHERE id > ? AND id <= ?"
                + " AND state >= 2 AND purge_at <= ? LIMIT ?)");
        int removed = writer.run(connection, now -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setLong(1, first);
                statement.setLong(2, end);
                statement.setLong(3, now);
                statement.setInt(4, limit);
                return statement.executeUpdate();
            }
        });
        if (removed < limit) {
            purgedUpTo = end;
        }
        return new Purged(removed, removed == limit || end < last);
    }
}
