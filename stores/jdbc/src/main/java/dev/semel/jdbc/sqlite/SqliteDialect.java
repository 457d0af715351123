package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** SQLite, from version 3.42: a file beside the process, for a single machine. */
public final class SqliteDialect implements SqlDialect {

    /**
     * Not from SQLite but from the pool; busy, locked, out of memory, interrupted, I/O error, disk full, cannot open, locking
     * protocol.
     */
    private static final Set<Integer> TRANSIENT = Set.of(0, 5, 6, 7, 9, 10, 13, 14, 15);

    private final ReentrantLock turn = new ReentrantLock(true);

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public int installedVersion(Connection connection, TableName table) throws SQLException {
        requireWal(connection);
        String versionTable = table.in("{name}_version");
        String find = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + versionTable + "'";
        String latest = "SELECT coalesce(max(version), 0) FROM " + versionTable;
        return PLAIN.first(connection, find, found -> true) == null
                ? 0
                : PLAIN.one(connection, latest, row -> row.getInt(1));
    }

    /** Other journals either lose durability or stop all readers while one process writes. */
    private static void requireWal(Connection connection) throws SQLException {
        boolean sets = connection.getAutoCommit();
        String mode = PLAIN.one(
                connection, sets ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode", row -> row.getString(1));
        if (sets && !"wal".equalsIgnoreCase(mode)) {
            throw new StoreException(
                    "SQLite must keep a write-ahead log to hold keys, and this database stays in journal mode " + mode
                            + "; use a file on a local disk that this process may write to",
                    null);
        }
    }

    @Override
    public void lockSchema(Connection connection, TableName table) throws SQLException {
        PLAIN.update(
                connection, table.in("CREATE TABLE IF NOT EXISTS {key}_version (version INTEGER NOT NULL) STRICT"));
        // A write, also if it changes nothing: it takes the lock that only one connection can have.
        PLAIN.update(connection, table.in("UPDATE {key}_version SET version = version"));
    }

    @Override
    public KeyTable keyTable(TableName table, boolean inGenerations) {
        return new SqliteKeyTable(table, new SqliteTransaction(turn));
    }

    @Override
    public TableInspection inspection(TableName table, Upkeep upkeep) {
        return new SqliteInspection(table, new SqliteTransaction(turn));
    }

    @Override
    public SqlFailure failure(SQLException failure) {
        return TRANSIENT.contains(failure.getErrorCode()) ? SqlFailure.TRANSIENT : SqlFailure.REFUSED;
    }
}
