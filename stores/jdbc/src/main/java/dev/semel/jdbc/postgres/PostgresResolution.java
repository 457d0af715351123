package dev.semel.jdbc.postgres;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.row.EscapedText;
import dev.semel.jdbc.row.StoredHeaders;
import dev.semel.policy.Retention;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.RetentionText;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** Resolves lapsed or unknown keys, and erases others. */
record PostgresResolution(TableName table) {

    private static final String UNDECIDED =
            " WHERE digest = ? AND token = ? AND (state = 1 OR state = 0 AND lease_until <= clock_timestamp())";

    /** Another nonce, so that the attempt that owned the key can no longer write to it. */
    private static final String SETTLE = """
            UPDATE {key}
            SET state = ?, status = ?, format = ?,
                settled_at = clock_timestamp(),
                expires_at = clock_timestamp() + ?::bigint * interval '1 microsecond',
                free_at = clock_timestamp() + ?::bigint * interval '1 microsecond',
                purge_at = clock_timestamp() + ?::bigint * interval '1 microsecond',
                headers = ?::bytea, body = ?::bytea, nonce = ?,
                history = {key}_noted(history, clock_timestamp(), attempt, token, 'resolved', ?)""";

    private static final String RELEASE = """
            UPDATE {key}
            SET state = 4, steps = NULL, history = NULL, purge_at = clock_timestamp() + interval '10 minutes', nonce = ?""";

    private static final String HOLD = """
            UPDATE {key}
            SET state = 1, history = CASE state
                WHEN 0 THEN {key}_noted(history, clock_timestamp(), attempt, token, 'marked unknown', ?)
                ELSE history END""";

    /** Leaves the same trace as a release, for the same time, in all generations that the key has been in. */
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

    boolean resolve(Connection connection, KeyDigest digest, long token, Resolution resolution, String reason)
            throws SQLException {
        String note = EscapedText.escape(reason);
        UUID key = digest.asUuid();
        if (resolution instanceof Resolution.Settle settle) {
            return settle(connection, key, token, settle.outcome(), note);
        }
        int changed = resolution instanceof Resolution.Release
                ? UNNAMED.update(connection, table.in(RELEASE) + UNDECIDED, UUID.randomUUID(), key, token)
                : UNNAMED.update(connection, table.in(HOLD) + UNDECIDED, note, key, token);
        return changed == 1;
    }

    /** Uses the retention from the claim with this token, which never changes. */
    private boolean settle(Connection connection, UUID key, long token, Outcome outcome, String note)
            throws SQLException {
        String claimed = table.in("SELECT retention FROM {key} WHERE digest = ? AND token = ?");
        Retention retention =
                UNNAMED.first(connection, claimed, row -> RetentionText.decode(row.getString(1)), key, token);
        return retention != null
                && UNNAMED.update(
                                connection,
                                table.in(SETTLE) + UNDECIDED,
                                PostgresRows.state(outcome),
                                outcome.status(),
                                outcome.format(),
                                Micros.of(retention.active()),
                                PostgresKeyTable.free(retention),
                                PostgresKeyTable.purge(retention),
                                StoredHeaders.encode(outcome),
                                outcome.payload(),
                                UUID.randomUUID(),
                                note,
                                key,
                                token)
                        == 1;
    }

    /**
     * Waits for a node that is about to copy the record to the audit, because it would otherwise copy it afterwards.
     */
    boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return PostgresAudit.locked(
                connection, table, "SHARE ROW EXCLUSIVE", "5s", locked -> eraseAlone(locked, digest, token));
    }

    private boolean eraseAlone(Connection connection, KeyDigest digest, long token) throws SQLException {
        UUID key = digest.asUuid();
        return UNNAMED.one(
                connection,
                table.in(ERASE),
                row -> row.getBoolean(1),
                UUID.randomUUID(),
                key,
                token,
                key,
                token,
                token);
    }
}
