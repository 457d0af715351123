package dev.semel.jdbc.row;

import dev.semel.Outcome;
import dev.semel.spi.life.RetentionText;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/** How a whole key is written to a row of a table that keeps times in microseconds; {@link KeyRow} reads it. */
public final class KeyColumns {

    /** Follows {@code INSERT}; see {@link #bindInsert}. */
    public static final String INSERT = """
             INTO {key} (nonce, token, claimed_at, lease_until, attempt, fingerprint, operation, trace_id, retention,
                state, status, format, settled_at, expires_at, free_at, purge_at, headers, body, history, steps,
                digest, namespace, scope, `key`)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String UPDATE = """
            UPDATE {key}
            SET nonce = ?, token = ?, claimed_at = ?, lease_until = ?, attempt = ?, fingerprint = ?, operation = ?,
                trace_id = ?, retention = ?, state = ?, status = ?, format = ?, settled_at = ?, expires_at = ?,
                free_at = ?, purge_at = ?, headers = ?, body = ?, history = ?""";

    /** All but the steps, which can be many and large, and rarely change together with the rest; see {@link #bindUpdate}. */
    public static final String UPDATE_ALL_BUT_STEPS = UPDATE + " WHERE id = ?";

    /** Everything; see {@link #bindUpdateOfAll}. */
    public static final String UPDATE_ALL = UPDATE + ", steps = ? WHERE id = ?";

    private static final int STEPS = 20;

    private KeyColumns() {}

    public static void bindInsert(PreparedStatement statement, StoredKey key) throws SQLException {
        bind(statement, key);
        statement.setBytes(STEPS, StoredSteps.encode(key.steps()));
        statement.setBytes(STEPS + 1, KeyRow.bytes(key.key().digest()));
        statement.setString(STEPS + 2, key.key().namespace().toString());
        statement.setString(STEPS + 3, key.key().scope());
        statement.setString(STEPS + 4, key.key().value());
    }

    public static void bindUpdate(PreparedStatement statement, StoredKey key, long id) throws SQLException {
        bind(statement, key);
        statement.setLong(STEPS, id);
    }

    public static void bindUpdateOfAll(PreparedStatement statement, StoredKey key, long id) throws SQLException {
        bind(statement, key);
        statement.setBytes(STEPS, StoredSteps.encode(key.steps()));
        statement.setLong(STEPS + 1, id);
    }

    private static void bind(PreparedStatement statement, StoredKey key) throws SQLException {
        statement.setBytes(1, KeyRow.bytes(key.nonce()));
        statement.setLong(2, key.token());
        statement.setLong(3, Micros.of(key.claimedAt()));
        statement.setLong(4, Micros.of(key.leaseUntil()));
        statement.setInt(5, key.attempt());
        statement.setBytes(6, key.fingerprint().bytes());
        statement.setString(7, key.operation());
        statement.setString(8, key.traceId());
        statement.setString(9, RetentionText.encode(key.retention()));
        StoredKey.Settlement settlement = key.settlement();
        if (settlement == null) {
            statement.setInt(10, key.isUnknown() ? KeyRow.UNKNOWN : KeyRow.PENDING);
            for (int i = 11; i <= 18; i++) {
                statement.setNull(i, Types.NULL);
            }
        } else {
            bindSettlement(statement, 10, settlement);
        }
        statement.setString(19, StoredHistory.encode(key.history()));
    }

    /** State, status, format, the four times, headers and body; returns the next free index. */
    static int bindSettlement(PreparedStatement statement, int first, StoredKey.Settlement settlement)
            throws SQLException {
        Outcome outcome = settlement.outcome();
        statement.setInt(first, outcome.isSuccess() ? KeyRow.SUCCEEDED : KeyRow.FAILED);
        statement.setInt(first + 1, outcome.status());
        statement.setInt(first + 2, outcome.format());
        statement.setLong(first + 3, Micros.of(settlement.settledAt()));
        statement.setLong(first + 4, Micros.of(settlement.expiresAt()));
        statement.setLong(first + 5, Micros.of(settlement.freeAt()));
        statement.setLong(first + 6, Micros.of(settlement.removableAt()));
        statement.setBytes(first + 7, StoredHeaders.encode(outcome));
        statement.setBytes(first + 8, outcome.payload());
        return first + 9;
    }
}
