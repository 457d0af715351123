package dev.semel.jdbc.postgres.audit;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Moves what people may want to look at to the audit window when a record has outlived its retention, in the transaction
 * that removes it or notes that it was copied.
 *
 * <p>A transaction that writes to the audit locks it before the first key, so that no claim waits for one that waits for the
 * audit.
 */
public record PostgresAudit(TableName table) {

    /** The lock timeout for transactions that others might queue behind. */
    static final String BRIEFLY = "100ms";

    /** The columns of a key's row that the audit keeps. */
    public static final String KEEP = """
            INSERT INTO {key}_audit (day, digest, token, claimed_at, lease_until, settled_at, expires_at, attempt, body_bytes,
                state, status, fingerprint, namespace, scope, key, operation, trace_id, retention, history)
            SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date, digest, token, claimed_at, lease_until, settled_at,
                expires_at, attempt, octet_length(body), state, status, fingerprint, namespace, scope, key, operation,
                trace_id, retention, history
            FROM %s k
            WHERE k.state IN (2, 3) %s
            ON CONFLICT DO NOTHING""";

    private static final String COPIED =
            "SELECT coalesce(audited, 0) FROM {key}_slot WHERE slot = ? AND closed = ? FOR NO KEY UPDATE";
    private static final String NOTE_COPIED = "UPDATE {key}_slot SET audited = ? WHERE slot = ?";
    private static final String OPEN = "SELECT 1 FROM {key}_slot WHERE slot = ? AND closed IS NULL FOR SHARE";

    /** Runs the work in a transaction that has locked the audit. */
    public static <T> T locked(
            Connection connection, TableName table, String mode, String lockTimeout, StoreConnections.Work<T> work)
            throws SQLException {
        return PostgresTransaction.upkeep(connection, begun -> {
            PostgresTransaction.execute(begun, "SET LOCAL lock_timeout = '" + lockTimeout + "'");
            PostgresTransaction.execute(begun, table.in("LOCK TABLE {key}_audit IN " + mode + " MODE"));
            return work.run(begun);
        });
    }

    /** Runs work that moves records to the audit. */
    public <T> T writing(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return locked(connection, table, "ROW EXCLUSIVE", BRIEFLY, work);
    }

    /**
     * Whether keys of a slot may be moved one by one, until the transaction ends: from when it is closed on, its blocks are
     * copied instead.
     */
    public boolean isOpen(Connection connection, int slot) throws SQLException {
        return UNNAMED.first(connection, table.in(OPEN), found -> true, slot) != null;
    }

    /**
     * Copies all of a slot in which nothing is needed any more, a few blocks at a time. How far it came is noted with each of
     * them, so that every block is copied once, by any node.
     */
    public void copy(Connection connection, int slot, long turn) throws SQLException {
        TableName source = table.slot(slot);
        long blocks = PostgresBlocks.count(connection, source);
        int atOnce = PostgresBlocks.perStatement(connection);
        String sql = table.in(String.format(KEEP, source, "AND " + PostgresBlocks.condition(connection)));
        long copied = 0;
        while (copied < blocks) {
            copied = writing(connection, locked -> copySome(locked, sql, slot, turn, blocks, atOnce));
        }
    }

    private long copySome(Connection connection, String sql, int slot, long turn, long blocks, int atOnce)
            throws SQLException {
        Long first = UNNAMED.first(connection, table.in(COPIED), row -> row.getLong(1), slot, turn);
        if (first == null) {
            return blocks;
        }
        long end = Math.min(first + atOnce, blocks);
        if (first < end) {
            UNNAMED.update(connection, sql, first, end);
            UNNAMED.update(connection, table.in(NOTE_COPIED), end, slot);
        }
        return Math.max(first, end);
    }
}
