package dev.semel.jdbc.postgres.generations;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.spi.Purging.Purged;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes records that have outlived their retention by walking the table block by block, in circles, from a random
 * place: keys that were claimed at the same time lie side by side, an index on their expiry would cost every claim and
 * settle, and several nodes hardly meet.
 */
public final class PostgresPurge {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresPurge.class);

    /** The most blocks that one call looks at. */
    private static final int BUDGET = 16 * 1024;

    private static final int NO_SLOT = -1;

    /** Of a tombstone, what only people look at is removed: it may be remembered for long, and needs few bytes for that. */
    private static final String PURGE = """
            WITH due AS MATERIALIZED (
                SELECT k.ctid AS address, greatest(k.purge_at, k.expires_at, k.free_at) <= clock_timestamp() AS over
                FROM {key} k
                WHERE %s AND k.state >= 2 AND coalesce(k.purge_at, k.expires_at) <= clock_timestamp()
                    AND (k.free_at IS NULL OR k.free_at <= clock_timestamp() OR k.body IS NOT NULL
                        OR k.headers IS NOT NULL OR k.steps IS NOT NULL OR k.history IS NOT NULL)
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            ), stripped AS (
                UPDATE {key} SET body = NULL, headers = NULL, steps = NULL, history = NULL, trace_id = NULL
                WHERE ctid = ANY (ARRAY(SELECT address FROM due WHERE NOT over))
            )""";

    private static final String REMOVE =
            "DELETE FROM {key} WHERE ctid = ANY (ARRAY(SELECT address FROM due WHERE over))";

    private final TableName table;
    private final @Nullable PostgresAudit audit;
    private final int slot;
    private final String purge;
    private final AtomicLong position =
            new AtomicLong(ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));

    /** Removes keys from a table that is the only one. */
    public PostgresPurge(TableName table, @Nullable PostgresAudit audit) {
        this(table, audit, NO_SLOT);
    }

    /** Removes keys from one slot of a table that keeps them in generations. */
    PostgresPurge(TableName table, @Nullable PostgresAudit audit, int slot) {
        this.table = table;
        this.audit = audit;
        this.slot = slot;
        this.purge = table.in(PURGE)
                + (audit == null
                        ? " " + table.in(REMOVE)
                        : ", gone AS (" + table.in(REMOVE) + " RETURNING *), kept AS ("
                                + audit.table().in(String.format(PostgresAudit.KEEP, "gone", ""))
                                + ") SELECT count(*) FROM gone");
    }

    public Purged purge(Connection connection, int limit) throws SQLException {
        long blocks = PostgresBlocks.count(connection, table);
        long budget = Math.min(blocks, BUDGET);
        long walked = 0;
        long removed = 0;
        while (walked < budget && removed < limit) {
            long first = position.get() % blocks;
            long end = Math.min(
                    Math.min(blocks, first + PostgresBlocks.perStatement(connection)), first + budget - walked);
            int found = purge(connection, first, end, (int) (limit - removed));
            removed += found;
            if (removed < limit) {
                position.set(end);
                walked += end - first;
            }
        }
        return new Purged(removed, removed == limit || (removed > 0 && walked < blocks));
    }

    private int purge(Connection connection, long first, long end, int limit) throws SQLException {
        PostgresAudit to = audit;
        if (to == null) {
            return purgeBlocks(connection, first, end, limit);
        }
        try {
            return to.writing(
                    connection,
                    writing ->
                            slot == NO_SLOT || to.isOpen(writing, slot) ? purgeBlocks(writing, first, end, limit) : 0);
        } catch (SQLException e) {
            if (!PostgresStatements.LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            LOG.debug("the audit of {} was in use; what it should get is moved later", table);
            return 0;
        }
    }

    private int purgeBlocks(Connection connection, long first, long end, int limit) throws SQLException {
        String sql = String.format(purge, PostgresBlocks.condition(connection));
        return audit == null
                ? UNNAMED.update(connection, sql, first, end, limit)
                : UNNAMED.one(connection, sql, row -> row.getInt(1), first, end, limit);
    }
}
