package dev.semel.jdbc.postgres.generations;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresBlocks;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Reads new rows of a slot once, soon after they came, so that it costs less to read them when the slot is to be emptied.
 *
 * <p>The first reader of a row notes in its block that it is committed. With checksums, PostgreSQL writes the whole block
 * to its log for that, unless it has written to the block since the last checkpoint. Of a new block that is still true.
 */
final class PostgresNewRowReader {

    /** The most blocks that one call looks at. */
    private static final int BUDGET = 16 * 1024;

    /** No row is found, but each is looked at. */
    private static final String LOOK = "SELECT count(*) FROM {key} k WHERE k.state < 0 AND ";

    private static final long NONE = 0;

    private final TableName table;
    private long turn = NONE;
    private long filled;
    private long read;

    PostgresNewRowReader(TableName table) {
        this.table = table;
    }

    /** Reads the blocks that have come between the last two times: most of what is in them is settled by now. */
    void read(Connection connection, int slot, long turnOfSlot) throws SQLException {
        if (!PostgresBlocks.hasRangeScan(connection)) {
            return;
        }
        long blocks = PostgresBlocks.count(connection, table.slot(slot));
        if (turn != turnOfSlot) {
            // What was there before this node is not new.
            read = turn == NONE ? blocks : 0;
            filled = read;
            turn = turnOfSlot;
        }
        long end = Math.min(filled, read + BUDGET);
        while (read < end) {
            long next = Math.min(end, read + PostgresBlocks.perStatement(connection));
            read(connection, table.slot(slot), read, next);
            read = next;
        }
        filled = blocks;
    }

    private static void read(Connection connection, TableName slot, long first, long end) throws SQLException {
        String sql = slot.in(LOOK) + PostgresBlocks.condition(connection);
        PostgresStatements.UNNAMED.one(connection, sql, looked -> true, first, end);
    }
}
