package dev.semel.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Work in its own transaction, and statements in it. */
final class SqlTransaction {

    @FunctionalInterface
    interface Work<R> {
        R run(Connection connection) throws SQLException;
    }

    private SqlTransaction() {}

    static <R> R inTransaction(DataSource dataSource, Work<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                R result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            }
        }
    }

    /** How many rows a statement changes, whose parameters are bound each as the object that it is. */
    static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** What went wrong first is what the caller must see. */
    private static void rollBack(Connection connection, Throwable first) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            first.addSuppressed(e);
        }
    }
}
