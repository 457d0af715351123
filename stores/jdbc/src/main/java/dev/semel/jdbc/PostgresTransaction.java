package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that is begun and ended in words: what the driver does for {@code commit()} has a name on the server, which
 * a pooler may not know.
 */
final class PostgresTransaction {

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

    static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = PostgresDialect.prepare(connection, sql)) {
            statement.execute();
        }
    }
}
