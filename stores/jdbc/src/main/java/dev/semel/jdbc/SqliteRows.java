package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.spi.RetentionText;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The keys of one transaction of SQLite, in which nobody else can write: each is read, decided over and written whole. */
final class SqliteRows implements AutoCloseable {

    private static final String INSERT = """
            INSERT INTO {key} (nonce, token, claimed_at, lease_until, attempt, fingerprint, operation, trace_id, retention,
                state, status, format, settled_at, expires_at, free_at, purge_at, headers, body, steps, history,
                digest, namespace, scope, key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String UPDATE = """
            UPDATE {key}
            SET nonce = ?, token = ?, claimed_at = ?, lease_until = ?, attempt = ?, fingerprint = ?, operation = ?,
                trace_id = ?, retention = ?, state = ?, status = ?, format = ?, settled_at = ?, expires_at = ?,
                free_at = ?, purge_at = ?, headers = ?, body = ?, steps = ?, history = ?
            WHERE id = ?""";

    private static final int NEXT = 21;

    private final long now;
    private final PreparedStatement find;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement delete;

    SqliteRows(Connection connection, TableName table, long now) throws SQLException {
        this.now = now;
        this.find = connection.prepareStatement(table.in("SELECT * FROM {key} WHERE digest = ?"));
        this.insert = connection.prepareStatement(table.in(INSERT));
        this.update = connection.prepareStatement(table.in(UPDATE));
        this.delete = connection.prepareStatement(table.in("DELETE FROM {key} WHERE id = ?"));
    }

    /** Makes a call on a key, or on {@code null} if there is none, and keeps what the call leaves. */
    <A> Change<A> change(KeyDigest digest, BiFunction<@Nullable StoredKey, Moment, Change<A>> call)
            throws SQLException {
        find.setBytes(1, KeyRow.bytes(digest));
        try (ResultSet found = find.executeQuery()) {
            KeyRow row = found.next() ? new KeyRow(found, now) : null;
            Change<A> change = call.apply(row == null ? null : row.key(), Moment.of(KeyRow.instant(now)));
            if (change.changed()) {
                write(row, change.next());
            }
            return change;
        }
    }

    private void write(@Nullable KeyRow row, @Nullable StoredKey next) throws SQLException {
        if (next == null) {
            if (row != null) {
                delete.setLong(1, row.id());
                delete.executeUpdate();
            }
        } else if (row == null) {
            bind(insert, next);
            insert.setBytes(NEXT, KeyRow.bytes(next.key().digest()));
            insert.setString(NEXT + 1, next.key().namespace().toString());
            insert.setString(NEXT + 2, next.key().scope());
            insert.setString(NEXT + 3, next.key().value());
            insert.executeUpdate();
        } else {
            bind(update, next);
            update.setLong(NEXT, row.id());
            update.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, StoredKey key) throws SQLException {
        statement.setBytes(1, KeyRow.bytes(key.nonce()));
        statement.setLong(2, key.token());
        statement.setLong(3, KeyRow.micros(key.claimedAt()));
        statement.setLong(4, KeyRow.micros(key.leaseUntil()));
        statement.setInt(5, key.attempt());
        statement.setBytes(6, key.fingerprint().bytes());
        statement.setString(7, key.operation());
        statement.setString(8, key.traceId());
        statement.setString(9, RetentionText.encode(key.retention()));
        bindSettlement(statement, key);
        statement.setBytes(19, Steps.encode(key.steps()));
        statement.setString(20, HistoryLines.encode(key.history()));
    }

    private static void bindSettlement(PreparedStatement statement, StoredKey key) throws SQLException {
        StoredKey.Settlement settlement = key.settlement();
        if (settlement == null) {
            statement.setInt(10, key.isUnknown() ? KeyRow.UNKNOWN : KeyRow.PENDING);
            for (int i = 11; i <= 18; i++) {
                statement.setNull(i, Types.NULL);
            }
            return;
        }
        Outcome outcome = settlement.outcome();
        statement.setInt(10, outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED);
        statement.setInt(11, outcome.status());
        statement.setInt(12, outcome.format());
        statement.setLong(13, KeyRow.micros(settlement.settledAt()));
        statement.setLong(14, KeyRow.micros(settlement.expiresAt()));
        statement.setLong(15, KeyRow.micros(settlement.freeAt()));
        statement.setLong(16, KeyRow.micros(settlement.removableAt()));
        statement.setBytes(17, HeaderLines.encode(outcome));
        statement.setBytes(18, outcome.payload());
    }

    @Override
    public void close() throws SQLException {
        try (find;
                insert;
                update;
                delete) {
            // Closed by leaving the block, each even if another one fails.
        }
    }
}
