package dev.semel.jdbc;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import dev.semel.Retention;
import dev.semel.spi.ErasureNote;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.RetentionText;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people do in MariaDB. Rows are walked in the order of their ids, a bounded stretch at a time. */
final class MariaDbInspection implements Inspection {

    private static final int STRETCH = 20_000;
    private static final long MOST_BYTES = 16 << 20;

    /** Bodies can be large, and a page stops when it has enough of them. */
    private static final int FETCH = 10;

    private static final String PAGE = """
            SELECT k.*, {now} AS asked_at
            FROM {key} k
            WHERE id > ? AND id <= ? AND state <> 4 AND %s
                AND (? IS NULL OR operation = ?) AND (? IS NULL OR scope = ?) AND (? IS NULL OR `key` = ?)
            ORDER BY id
            LIMIT ?""";

    private static final String UNDECIDED =
            " WHERE digest = ? AND token = ? AND (state = 1 OR state = 0 AND lease_until <= {now})";

    private final TableName table;
    private final MariaDbStatistics statistics;
    private final MariaDbPurge purge;
    private final KeyRowImport imports;

    MariaDbInspection(TableName table) {
        this.table = table;
        this.statistics = new MariaDbStatistics(table);
        this.purge = new MariaDbPurge(table);
        this.imports = new KeyRowImport(table, "INSERT IGNORE");
    }

    private String in(String sql) {
        return MariaDbDialect.in(table, sql);
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                in("SELECT k.*, {now} AS asked_at FROM {key} k WHERE digest = ? AND state <> 4"))) {
            statement.setBytes(1, KeyRow.bytes(digest));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new KeyRow(row, row.getLong("asked_at")).toRecord()) : Optional.empty();
            }
        }
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        MariaDbIds ids = MariaDbIds.of(connection, table);
        long after = Math.max(cursor(query.cursor()), ids.first() - 1);
        long end = Math.min(ids.last(), after + STRETCH);
        String sql = in(String.format(PAGE, condition(query.state())));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(FETCH);
            statement.setLong(1, after);
            statement.setLong(2, end);
            restrict(statement, 3, query.operation());
            restrict(statement, 5, query.scope());
            restrict(statement, 7, query.value());
            statement.setInt(9, query.limit());
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, query.limit(), end < ids.last() ? Long.toString(end) : null);
            }
        }
    }

    private static KeyPage read(ResultSet rows, int limit, @Nullable String nextStretch) throws SQLException {
        List<KeyRecord> records = new ArrayList<>();
        long bytes = 0;
        while (rows.next()) {
            KeyRow row = new KeyRow(rows, rows.getLong("asked_at"));
            records.add(row.toRecord());
            bytes += row.weight();
            if (records.size() == limit || bytes >= MOST_BYTES) {
                return new KeyPage(records, Long.toString(row.id()));
            }
        }
        return new KeyPage(records, nextStretch);
    }

    private static void restrict(PreparedStatement statement, int index, @Nullable String value) throws SQLException {
        statement.setString(index, value);
        statement.setString(index + 1, value);
    }

    private static String condition(@Nullable KeyState state) {
        if (state == null) {
            return "true";
        }
        return switch (state) {
            case PENDING -> "state = 0 AND lease_until > {now}";
            case LAPSED -> "state = 0 AND lease_until <= {now}";
            case UNKNOWN -> "state = 1";
            case SUCCEEDED -> "state = 2 AND expires_at > {now}";
            case FAILED -> "state = 3 AND expires_at > {now}";
            case EXPIRED -> "state IN (2, 3) AND expires_at <= {now}";
        };
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

    @Override
    public Instant now(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(in("SELECT {now}"));
                ResultSet row = statement.executeQuery()) {
            row.next();
            return KeyRow.instant(row.getLong(1));
        }
    }

    @Override
    public StoreStatistics statistics(Connection connection) throws SQLException {
        return statistics.read(connection);
    }

    @Override
    public boolean resolve(Connection connection, KeyDigest digest, long token, Resolution resolution, String reason)
            throws SQLException {
        String note = EscapedText.escape(reason);
        if (resolution instanceof Resolution.Settle settle) {
            Retention retention = retention(connection, digest, token);
            if (retention == null) {
                return false;
            }
            // Another nonce, so that the attempt that owned the key can no longer write to it.
            String sql = "UPDATE {key} SET " + MariaDbKeyTable.OUTCOME + ", nonce = ?, " + MariaDbKeyTable.NOTED;
            try (PreparedStatement statement = connection.prepareStatement(in(sql + UNDECIDED))) {
                int next = MariaDbKeyTable.bind(statement, 1, settle.outcome(), retention);
                statement.setBytes(next, KeyRow.bytes(UUID.randomUUID()));
                return decide(statement, next + 1, "resolved", note, digest, token);
            }
        }
        if (resolution instanceof Resolution.Forget) {
            String sql = "UPDATE {key} SET " + MariaDbKeyTable.RELEASED + ", nonce = ?, " + MariaDbKeyTable.NOTED;
            try (PreparedStatement statement = connection.prepareStatement(in(sql + UNDECIDED))) {
                statement.setBytes(1, KeyRow.bytes(UUID.randomUUID()));
                return decide(statement, 2, "forgotten", note, digest, token);
            }
        }
        String sql = "UPDATE {key} SET state = 1, " + MariaDbKeyTable.NOTED;
        try (PreparedStatement statement = connection.prepareStatement(in(sql + UNDECIDED))) {
            return decide(statement, 1, "marked unknown", note, digest, token);
        }
    }

    /** What the attempt with this token claimed the key with, which never changes; {@code null} if it is no longer there. */
    private @Nullable Retention retention(Connection connection, KeyDigest digest, long token) throws SQLException {
        String sql = "SELECT retention FROM {key} WHERE digest = ? AND token = ?";
        try (PreparedStatement statement = connection.prepareStatement(in(sql))) {
            statement.setBytes(1, KeyRow.bytes(digest));
            statement.setLong(2, token);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? RetentionText.decode(row.getString(1)) : null;
            }
        }
    }

    private static boolean decide(
            PreparedStatement statement, int next, String event, String note, KeyDigest digest, long token)
            throws SQLException {
        statement.setString(next, event);
        statement.setString(next + 1, note);
        statement.setBytes(next + 2, KeyRow.bytes(digest));
        statement.setLong(next + 3, token);
        return statement.executeUpdate() == 1;
    }

    /** Leaves what a release leaves, for as long. */
    @Override
    public boolean noteErasure(Connection connection, ErasureNote note) {
        return false;
    }

    @Override
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        String sql = "UPDATE {key} SET " + MariaDbKeyTable.RELEASED + ", nonce = ?, fingerprint = ?, operation = '',"
                + " trace_id = NULL, headers = NULL, history = NULL, body = NULL"
                + " WHERE digest = ? AND token = ? AND state IN (2, 3)";
        try (PreparedStatement statement = connection.prepareStatement(in(sql))) {
            statement.setBytes(1, KeyRow.bytes(UUID.randomUUID()));
            statement.setBytes(2, new byte[Fingerprint.LENGTH]);
            statement.setBytes(3, KeyRow.bytes(digest));
            statement.setLong(4, token);
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        MariaDbKeyTable.requireFits(
                connection, record.outcome() == null ? null : record.outcome().payload());
        long now;
        try (Statement statement = connection.createStatement();
                // Has no effect where tokens are larger already.
                ResultSet row =
                        statement.executeQuery(in("SELECT {now}, SETVAL({key}_token, " + record.token() + ")"))) {
            row.next();
            now = row.getLong(1);
        }
        return imports.write(connection, record, asOf, now);
    }

    @Override
    public Purged purge(Connection connection, int limit) throws SQLException {
        return purge.purge(connection, limit);
    }
}
