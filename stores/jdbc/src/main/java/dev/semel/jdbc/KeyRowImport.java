package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.RetentionText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts records of other stores into a table of {@link KeyRow}s. Each of its statements decides by itself. */
final class KeyRowImport {

    private static final String INSERT = """
             INTO {key} (nonce, token, claimed_at, lease_until, attempt, fingerprint, namespace, scope, `key`,
                operation, trace_id, retention, state, status, format, settled_at, expires_at, free_at, purge_at, headers, steps,
                history, body, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String REPLACE = """
            UPDATE {key}
            SET nonce = ?, token = ?, claimed_at = ?, lease_until = ?, attempt = ?, fingerprint = ?, namespace = ?,
                scope = ?, `key` = ?, operation = ?, trace_id = ?, retention = ?, state = ?, status = ?, format = ?,
                settled_at = ?, expires_at = ?, free_at = ?, purge_at = ?, headers = ?, steps = ?, history = ?, body = ?
            WHERE digest = ? AND state >= 2 AND free_at <= ? AND token < ?""";

    private static final String SAME =
            "SELECT 1 FROM {key} WHERE digest = ? AND token = ? AND state = ? AND fingerprint = ?";

    private static final int NEXT = 25;

    private final String insert;
    private final String replace;
    private final String same;

    /** {@code insertIgnore} is how this database inserts a row only where none is. */
    KeyRowImport(TableName table, String insertIgnore) {
        insert = table.in(insertIgnore + INSERT);
        replace = table.in(REPLACE);
        same = table.in(SAME);
    }

    boolean write(Connection connection, KeyRecord record, Instant asOf, long now) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            bind(statement, record, asOf, now);
            if (statement.executeUpdate() == 1) {
                return true;
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(replace)) {
            bind(statement, record, asOf, now);
            statement.setLong(NEXT, now);
            statement.setLong(NEXT + 1, record.token());
            if (statement.executeUpdate() == 1) {
                return true;
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(same)) {
            statement.setBytes(1, KeyRow.bytes(record.key().digest()));
            statement.setLong(2, record.token());
            statement.setInt(3, state(record));
            statement.setBytes(4, record.fingerprint().bytes());
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void bind(PreparedStatement statement, KeyRecord record, Instant asOf, long now)
            throws SQLException {
        Outcome outcome = record.outcome();
        statement.setBytes(1, KeyRow.bytes(UUID.randomUUID()));
        statement.setLong(2, record.token());
        setTime(statement, 3, record.claimedAt(), asOf, now);
        setTime(statement, 4, record.leaseUntil(), asOf, now);
        statement.setInt(5, record.attempt());
        statement.setBytes(6, record.fingerprint().bytes());
        statement.setString(7, record.key().namespace().toString());
        statement.setString(8, record.key().scope());
        statement.setString(9, record.key().value());
        statement.setString(10, record.operation());
        statement.setString(11, record.traceId());
        statement.setString(12, RetentionText.encode(record.retention()));
        statement.setInt(13, state(record));
        statement.setObject(14, outcome == null ? null : outcome.status(), Types.INTEGER);
        statement.setObject(15, outcome == null ? null : outcome.format(), Types.INTEGER);
        setTime(statement, 16, record.settledAt(), asOf, now);
        setTime(statement, 17, record.expiresAt(), asOf, now);
        setTime(statement, 18, record.freeAt(), asOf, now);
        setTime(statement, 19, record.removableAt(), asOf, now);
        statement.setBytes(20, outcome == null ? null : HeaderLines.encode(outcome));
        statement.setBytes(21, Steps.encode(record.steps()));
        statement.setString(22, HistoryLines.encode(record.history()));
        statement.setBytes(23, outcome == null ? null : outcome.payload());
        statement.setBytes(24, KeyRow.bytes(record.key().digest()));
    }

    private static void setTime(PreparedStatement statement, int index, @Nullable Instant time, Instant asOf, long now)
            throws SQLException {
        statement.setObject(index, time == null ? null : now + ChronoUnit.MICROS.between(asOf, time), Types.BIGINT);
    }

    static int state(KeyRecord record) {
        if (record.state() == KeyState.UNKNOWN) {
            return KeyRow.UNKNOWN;
        }
        return record.state() == KeyState.SUCCEEDED ? KeyRow.SUCCEEDED : KeyRow.FAILED;
    }
}
