package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.StoreConnections;
import java.sql.Connection;
import java.sql.SQLException;

/** Several statements in one commit: a transaction of its own, or part of the one that the connection is in already. */
final class InnoDbTransaction {

    private InnoDbTransaction() {}

    static <T> T run(Connection connection, StoreConnections.Work<T> work) throws SQLException {
        if (!connection.getAutoCommit()) {
            return work.run(connection);
        }
        connection.setAutoCommit(false);
        try {
            T result = work.run(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, e);
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void rollBack(Connection connection, Throwable because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // Whatever broke the connection has ended the transaction too.
            because.addSuppressed(e);
        }
    }
}
