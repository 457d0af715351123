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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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
    private final KeyRowImport imports;
    private long purgedUpTo;

    SqliteInspection(TableName table, SqliteTransaction writer) {
        this.table = table;
        this.writer = writer;
        this.statistics = new SqliteStatistics(table);
        this.imports = new KeyRowImport(table, "INSERT OR IGNORE");
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
        String undecided = table.in("SELECT * FROM {key} WHERE digest = ? AND token = ? AND state < 2");
        return writer.run(connection, now -> {
            try (PreparedStatement find = connection.prepareStatement(undecided)) {
                find.setBytes(1, KeyRow.bytes(digest));
                find.setLong(2, token);
                try (ResultSet found = find.executeQuery()) {
                    if (!found.next()) {
                        return false;
                    }
                    KeyRow row = new KeyRow(found, now);
                    boolean live = row.state() == KeyRow.PENDING && !row.isLapsed();
                    if (!live) {
                        decide(connection, row, resolution, reason, now);
                    }
                    return !live;
                }
            }
        });
    }

    private void decide(Connection connection, KeyRow row, Resolution resolution, String reason, long now)
            throws SQLException {
        if (resolution instanceof Resolution.Settle settle) {
            // Another nonce, so that the attempt that owned the key can no longer write to it.
            String sql = table.in("UPDATE {key} SET state = ?, status = ?, format = ?, settled_at = ?, expires_at = ?,"
                    + " free_at = ?, purge_at = ?, headers = ?, body = ?, nonce = ?, history = ? WHERE id = ?");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int next = SqliteKeyTable.bind(statement, 1, settle.outcome(), row.retention(), now);
                statement.setBytes(next, KeyRow.bytes(UUID.randomUUID()));
                statement.setString(next + 1, row.noted("resolved", reason));
                statement.setLong(next + 2, row.id());
                statement.executeUpdate();
            }
        } else if (resolution instanceof Resolution.Forget) {
            try (PreparedStatement statement =
                    connection.prepareStatement(table.in("DELETE FROM {key} WHERE id = ?"))) {
                statement.setLong(1, row.id());
                statement.executeUpdate();
            }
        } else if (row.state() == KeyRow.PENDING) {
            try (PreparedStatement statement =
                    connection.prepareStatement(table.in("UPDATE {key} SET state = 1, history = ? WHERE id = ?"))) {
                statement.setString(1, row.noted("marked unknown", reason));
                statement.setLong(2, row.id());
                statement.executeUpdate();
            }
        }
    }

    @Override
    public boolean noteErasure(Connection connection, ErasureNote note) {
        return false;
    }

    @Override
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        String settled = table.in("DELETE FROM {key} WHERE digest = ? AND token = ? AND state >= 2");
        return writer.run(connection, now -> {
            try (PreparedStatement statement = connection.prepareStatement(settled)) {
                statement.setBytes(1, KeyRow.bytes(digest));
                statement.setLong(2, token);
                return statement.executeUpdate() == 1;
            }
        });
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        return writer.run(connection, now -> {
            try (PreparedStatement tokens =
                    connection.prepareStatement(table.in("UPDATE {key}_token SET last = max(last, ?)"))) {
                tokens.setLong(1, record.token());
                tokens.executeUpdate();
            }
            return imports.write(connection, record, asOf, now);
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
