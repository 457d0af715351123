package dev.semel.jdbc.sqlite;

import dev.semel.jdbc.dialect.Dialect;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.SqlFailure;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SQLite, from version 3.42: a file beside the process, for a single machine. */
public final class SqliteDialect implements Dialect {

    /**
     * Not from SQLite but from the pool; busy, locked, out of memory, interrupted, I/O error, disk full, cannot open, locking
     * protocol.
     */
    private static final Set<Integer> TRANSIENT = Set.of(0, 5, 6, 7, 9, 10, 13, 14, 15);

    private final SqliteTransaction writer = new SqliteTransaction();

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String product() {
        return "SQLite";
    }

    @Override
    public @Nullable String currentSchema(Connection connection) {
        return null;
    }

    @Override
    public @Nullable String usualSchema() {
        return null;
    }

    @Override
    public int schemaVersion() {
        return 1;
    }

    @Override
    public int installedVersion(Connection connection, TableName table) throws SQLException {
        requireWal(connection);
        String versionTable = table.in("{name}_version");
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(
                    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + versionTable + "'")) {
                row.next();
                if (row.getInt(1) == 0) {
                    return 0;
                }
            }
            try (ResultSet row = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + versionTable)) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** Other journals either lose durability or stop all readers while one process writes. */
    private static void requireWal(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        connection.getAutoCommit() ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode")) {
            row.next();
            String mode = row.getString(1);
            if (connection.getAutoCommit() && !"wal".equalsIgnoreCase(mode)) {
                throw new StoreException(
                        "SQLite must keep a write-ahead log to hold keys, and this database stays in journal mode "
                                + mode + "; use a file on a local disk that this process may write to",
                        null);
            }
        }
    }

    @Override
    public void lockSchema(Connection connection, TableName table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    table.in("CREATE TABLE IF NOT EXISTS {key}_version (version INTEGER NOT NULL) STRICT"));
            // A write, also if it changes nothing: it takes the lock that only one connection can have.
            statement.executeUpdate(table.in("UPDATE {key}_version SET version = version"));
        }
    }

    @Override
    public KeyTable keyTable(TableName table, boolean inGenerations) {
        return new SqliteKeyTable(table, writer);
    }

    @Override
    public TableInspection inspection(TableName table, Upkeep upkeep) {
        return new SqliteInspection(table, writer);
    }

    @Override
    public SqlFailure failure(SQLException failure) {
        return TRANSIENT.contains(failure.getErrorCode()) ? SqlFailure.TRANSIENT : SqlFailure.REFUSED;
    }
}
