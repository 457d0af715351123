package dev.semel.jdbc;

import dev.semel.testkit.TransactionContract;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transaction of an application, for the contract of stores that join one. */
public record JdbcTransaction(Connection handle) implements TransactionContract.Transaction<Connection> {

    public static JdbcTransaction begin(DataSource dataSource) {
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new JdbcTransaction(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void commit() {
        try {
            handle.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            handle.rollback();
            handle.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
