package dev.semel.jdbc.postgres.statement;

import dev.semel.jdbc.dialect.StoreConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that sends BEGIN and COMMIT as plain SQL: what the driver does for {@code commit()} has a name on the server, which
 * a pooler may not know.
 */
public final class PostgresTransaction {

    /** For each statement of upkeep. */
    static final String UPKEEP_TIMEOUT = "SET LOCAL statement_timeout = '1min'";

    private PostgresTransaction() {}

    public static <T> T run(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        execute(connection, "BEGIN");
        try {
            T result = work.run(connection);
            execute(connection, "COMMIT");
            return result;
        } catch (Throwable e) {
            try {
                if (!connection.isClosed()) {
                    execute(connection, "ROLLBACK");
                }
            } catch (SQLException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /**
     * For upkeep, which works in small pieces, and must not fail because of the role's short statement timeout.
     */
    public static <T> T upkeep(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        return run(connection, begun -> {
            execute(begun, UPKEEP_TIMEOUT);
            return work.run(begun);
        });
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = PostgresStatements.prepare(connection, sql)) {
            statement.execute();
        }
    }
}
