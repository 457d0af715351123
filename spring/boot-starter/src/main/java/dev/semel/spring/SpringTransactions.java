package dev.semel.spring;

import dev.semel.TransactionRunner;
import java.sql.Connection;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** Runs work in a transaction of Spring's, or in the one that is running already. */
record SpringTransactions(
        Supplier<PlatformTransactionManager> managers, DataSource dataSource, TransactionDefinition definition)
        implements TransactionRunner<Connection> {

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        PlatformTransactionManager manager = managers.get();
        TransactionStatus status = manager.getTransaction(definition);
        R result;
        try {
            result = run(work);
        } catch (Exception | Error e) {
            rollBack(manager, status, e);
            throw e;
        }
        manager.commit(status);
        return result;
    }

    private <R> R run(Work<Connection, R> work) throws Exception {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, dataSource)) {
                throw new IllegalStateException("the transaction manager does not manage the DataSource that Semel"
                        + " keeps its keys in; name the right one in @Transactional(transactionManager = ...)");
            }
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static void rollBack(PlatformTransactionManager manager, TransactionStatus status, Throwable cause) {
        try {
            manager.rollback(status);
        } catch (RuntimeException | Error e) {
            // What made the rollback necessary says more than why it failed: the database rolls back by itself.
            cause.addSuppressed(e);
        }
    }
}
