package dev.semel.jdbc.postgres;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.row.EscapedText;
import dev.semel.jdbc.row.StoredHeaders;
import dev.semel.policy.Retention;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.RetentionText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides over keys that are lapsed or unknown, and erases others. */
final class PostgresResolution {

    private static final String UNDECIDED =
            " WHERE digest = ? AND token = ? AND (state = 1 OR state = 0 AND lease_until <= clock_timestamp())";

    /** Another nonce, so that the attempt that owned the key can no longer write to it. */
    private static final String SETTLE = """
            UPDATE {key}
            SET state = ?, status = ?, format = ?,
                settled_at = clock_timestamp(),
                expires_at = clock_timestamp() + ? * interval '1 microsecond',
                free_at = clock_timestamp() + ? * interval '1 microsecond',
                purge_at = clock_timestamp() + ? * interval '1 microsecond',
                headers = ?, body = ?, nonce = ?,
                history = {key}_noted(history, clock_timestamp(), attempt, token, 'resolved', ?)""";

    private static final String RELEASE = """
            UPDATE {key}
            SET state = 4, steps = NULL, history = NULL, purge_at = clock_timestamp() + interval '10 minutes', nonce = ?""";

    private static final String HOLD = """
            UPDATE {key}
            SET state = 1, history = CASE state
                WHEN 0 THEN {key}_noted(history, clock_timestamp(), attempt, token, 'marked unknown', ?)
                ELSE history END""";

    /** Leaves what a release leaves, for as long; in all generations that the key has been in. */
    private static final String ERASE = """
            WITH erased AS (
                UPDATE {key}
                SET state = 4, purge_at = clock_timestamp() + interval '10 minutes', nonce = ?, fingerprint = '\\x00',
                    operation = '', trace_id = NULL, status = NULL, format = NULL, settled_at = NULL, expires_at = NULL,
                    free_at = NULL, headers = NULL, steps = NULL, history = NULL, body = NULL
                WHERE digest = ? AND token <= ? AND state IN (2, 3)
                RETURNING token
            ), forgotten AS (
                DELETE FROM {key}_audit WHERE digest = ? AND token <= ? RETURNING token
            )
            SELECT coalesce(bool_or(token = ?), false)
            FROM (SELECT token FROM erased UNION ALL SELECT token FROM forgotten) gone""";

    private final TableName table;

    PostgresResolution(TableName table) {
        this.table = table;
    }

    boolean resolve(Connection connection, KeyDigest digest, long token, Resolution resolution, String reason)
            throws SQLException {
        String note = EscapedText.escape(reason);
        if (resolution instanceof Resolution.Settle settle) {
            Retention retention = retention(connection, digest, token);
            if (retention == null) {
                return false;
            }
            try (PreparedStatement statement = prepare(connection, SETTLE)) {
                Outcome outcome = settle.outcome();
                statement.setInt(1, PostgresRows.state(outcome));
                statement.setInt(2, outcome.status());
                statement.setInt(3, outcome.format());
                statement.setLong(4, PostgresRows.micros(retention.active()));
                statement.setObject(5, PostgresKeyTable.free(retention), Types.BIGINT);
                statement.setObject(6, PostgresKeyTable.purge(retention), Types.BIGINT);
                statement.setBytes(7, StoredHeaders.encode(outcome));
                statement.setBytes(8, outcome.payload());
                statement.setObject(9, UUID.randomUUID());
                statement.setString(10, note);
                return decide(statement, 11, digest, token);
            }
        }
        if (resolution instanceof Resolution.Release) {
            try (PreparedStatement statement = prepare(connection, RELEASE)) {
                statement.setObject(1, UUID.randomUUID());
                return decide(statement, 2, digest, token);
            }
        }
        try (PreparedStatement statement = prepare(connection, HOLD)) {
            statement.setString(1, note);
            return decide(statement, 2, digest, token);
        }
    }

    /** What the attempt with this token claimed the key with, which never changes; {@code null} if it is no longer there. */
    private @Nullable Retention retention(Connection connection, KeyDigest digest, long token) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepare(
                connection, table.in("SELECT retention FROM {key} WHERE digest = ? AND token = ?"))) {
            statement.setObject(1, digest.asUuid());
            statement.setLong(2, token);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? RetentionText.decode(row.getString(1)) : null;
            }
        }
    }

    /** Waits for who is about to copy the record to the audit, who would otherwise bring it there afterwards. */
    boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return PostgresAudit.locked(
                connection, table, "SHARE ROW EXCLUSIVE", "5s", locked -> eraseAlone(locked, digest, token));
    }

    private boolean eraseAlone(Connection connection, KeyDigest digest, long token) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepare(connection, table.in(ERASE))) {
            statement.setObject(1, UUID.randomUUID());
            statement.setObject(2, digest.asUuid());
            statement.setLong(3, token);
            statement.setObject(4, digest.asUuid());
            statement.setLong(5, token);
            statement.setLong(6, token);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private PreparedStatement prepare(Connection connection, String change) throws SQLException {
        return PostgresStatements.prepare(connection, table.in(change) + UNDECIDED);
    }

    private static boolean decide(PreparedStatement statement, int next, KeyDigest digest, long token)
            throws SQLException {
        statement.setObject(next, digest.asUuid());
        statement.setLong(next + 1, token);
        return statement.executeUpdate() == 1;
    }
}
