package dev.semel.jdbc;

import dev.semel.spi.Purging.Purged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes what has outlived its retention by walking the table block by block, in circles, from a random place: keys
 * that were claimed at the same time lie side by side, an index on their expiry would cost every claim and settle, and
 * several nodes hardly meet.
 */
final class PostgresPurge {

    /** The most blocks that one call looks at. */
    private static final int BUDGET = 16 * 1024;

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
            )
            DELETE FROM {key} WHERE ctid = ANY (ARRAY(SELECT address FROM due WHERE over))""";

    private final TableName table;
    private final String purge;
    private final AtomicLong position =
            new AtomicLong(ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE));

    PostgresPurge(TableName table) {
        this.table = table;
        this.purge = table.in(PURGE);
    }

    Purged purge(Connection connection, int limit) throws SQLException {
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
        String sql = String.format(purge, PostgresBlocks.condition(connection));
        try (PreparedStatement statement = PostgresDialect.prepare(connection, sql)) {
            statement.setLong(1, first);
            statement.setLong(2, end);
            statement.setInt(3, limit);
            return statement.executeUpdate();
        }
    }
}
