package dev.semel.jdbc.epoch;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The row that says how far the database has come. It holds what identified its own table when the row was written: a dump that
 * is read back recreates the table, and brings the row with the old identity.
 */
record EpochTable(SqlDialect dialect, TableName table) {

    /**
     * The content of the row.
     *
     * @param lost why claims are refused; {@code null} if they are not
     */
    record Row(Epoch epoch, String identity, @Nullable String lost) {}

    /** A user who may use a table need not have the right to make one. */
    boolean isMissing(Connection connection) throws SQLException {
        try (ResultSet found = connection
                .getMetaData()
                .getTables(connection.getCatalog(), table.schema(), table.name() + "_epoch", null)) {
            return !found.next();
        }
    }

    void create(Connection connection) throws SQLException {
        execute(
                connection,
                "CREATE TABLE IF NOT EXISTS {key}_epoch (id INT NOT NULL PRIMARY KEY, epoch BIGINT NOT NULL,"
                        + " beat BIGINT NOT NULL, identity VARCHAR(500) NOT NULL, lost VARCHAR(500))");
    }

    /** The row, locked until the transaction ends; {@code null} if there is none. */
    @Nullable
    Row lock(Connection connection) throws SQLException {
        // A write, which takes the lock in every one of these databases.
        execute(connection, "UPDATE {key}_epoch SET beat = beat WHERE id = 1");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        table.in("SELECT epoch, beat, identity, lost FROM {key}_epoch WHERE id = 1"))) {
            return row.next()
                    ? new Row(new Epoch(row.getLong(1), row.getLong(2)), row.getString(3), row.getString(4))
                    : null;
        }
    }

    void insert(Connection connection, Row row) throws SQLException {
        execute(
                connection,
                "INSERT INTO {key}_epoch (id, epoch, beat, identity, lost) VALUES (1, "
                        + row.epoch.number() + ", " + row.epoch.beat() + ", " + quoted(row.identity) + ", "
                        + quoted(row.lost) + ")");
    }

    void update(Connection connection, Row row) throws SQLException {
        execute(
                connection,
                "UPDATE {key}_epoch SET epoch = " + row.epoch.number() + ", beat = " + row.epoch.beat()
                        + ", identity = " + quoted(row.identity) + ", lost = " + quoted(row.lost) + " WHERE id = 1");
    }

    String identity(Connection connection) throws SQLException {
        return dialect.identity(connection, new TableName(table.schema(), table.name() + "_epoch"));
    }

    /** Not prepared: a statement that a session keeps does not go through a pooler. */
    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(table.in(sql));
        }
    }

    private static String quoted(@Nullable String text) {
        return text == null ? "NULL" : "'" + text.replace("\\", "/").replace("'", "''") + "'";
    }
}
