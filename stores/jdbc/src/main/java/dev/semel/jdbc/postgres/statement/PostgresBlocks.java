package dev.semel.jdbc.postgres.statement;

import dev.semel.jdbc.dialect.TableName;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Ranges of a table's blocks, by which large tables are walked without an index.
 *
 * <p>PostgreSQL 13 cannot scan a range of row addresses, only addresses one by one; there the ranges are short.
 */
public final class PostgresBlocks {

    private static final int FIRST_WITH_RANGE_SCAN = 14;

    /** The rows of the blocks from the first parameter to before the second one. */
    private static final String RANGE =
            "k.ctid >= format('(%s,0)', ?::bigint)::tid AND k.ctid < format('(%s,0)', ?::bigint)::tid";

    /** No block of 8 KB has more than 291 rows. */
    private static final String ADDRESSES = """
            k.ctid = ANY (ARRAY(
                SELECT format('(%s,%s)', block, item)::tid
                FROM generate_series(?::bigint, ?::bigint - 1) AS block, generate_series(1, 291) AS item))""";

    private PostgresBlocks() {}

    public static boolean hasRangeScan(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_RANGE_SCAN;
    }

    public static String condition(Connection connection) throws SQLException {
        return hasRangeScan(connection) ? RANGE : ADDRESSES;
    }

    /** How many blocks are cheap enough to be walked by one statement. */
    public static int perStatement(Connection connection) throws SQLException {
        return hasRangeScan(connection) ? 1024 : 32;
    }

    /** How many blocks the table has now. */
    public static long count(Connection connection, TableName table) throws SQLException {
        return count(connection, table.toString());
    }

    public static long count(Connection connection, String table) throws SQLException {
        String sql = "SELECT pg_relation_size('" + table + "'::regclass) / current_setting('block_size')::bigint";
        return PostgresStatements.UNNAMED.one(connection, sql, row -> row.getLong(1));
    }
}
