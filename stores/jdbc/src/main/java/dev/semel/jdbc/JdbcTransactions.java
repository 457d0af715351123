package dev.semel.jdbc;

import dev.semel.TransactionRunner;
import java.sql.Connection;
import javax.sql.DataSource;

/** Runs work in transactions of a data source: one connection, one commit. */
public final class JdbcTransactions implements TransactionRunner<Connection> {

    private final DataSource dataSource;

    private JdbcTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public static JdbcTransactions of(DataSource dataSource) {
        return new JdbcTransactions(dataSource);
    }

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                R result = work.run(connection);
                connection.commit();
                return result;
            } catch (Throwable e) {
                rollBack(connection, e);
                throw e;
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            }
        }
    }

    /** What went wrong first is what the caller must see. */
    private static void rollBack(Connection connection, Throwable first) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (Exception e) {
            first.addSuppressed(e);
        }
    }
}
