package dev.semel.jdbc;

import dev.semel.TransactionRunner;
import dev.semel.jdbc.dialect.Transactions;
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
            return Transactions.run(connection, work::run);
        }
    }

    @Override
    public boolean allowsSavepoints() {
        return true;
    }
}
