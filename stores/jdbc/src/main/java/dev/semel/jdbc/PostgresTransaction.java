package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that is begun and ended in words: what the driver does for {@code commit()} has a name on the server, which
 * a pooler may not know.
 */
final class PostgresTransaction {

    /** For each statement of upkeep. */
    static final String UPKEEP_TIMEOUT = "SET LOCAL statement_timeout = '1min'";

    private PostgresTransaction() {}

    static <T> T run(Connection connection, Database.Work<T> work) throws SQLException {
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
     * For upkeep, which is done in small pieces, and must not fail because the role, made for an application, has short
     * statements only.
     */
    static <T> T upkeep(Connection connection, Database.Work<T> work) throws SQLException {
        return run(connection, begun -> {
            execute(begun, UPKEEP_TIMEOUT);
            return work.run(begun);
        });
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = PostgresDialect.prepare(connection, sql)) {
            statement.execute();
        }
    }
}
