package dev.semel.spring.transaction;

import dev.semel.TransactionRunner;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionUsageException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs work in a Spring transaction: a new one, or the running one. */
record SpringTransactions(
        Supplier<PlatformTransactionManager> managers, DataSource dataSource, TransactionDefinition definition)
        implements TransactionRunner<Connection> {

    private static final Logger LOG = LoggerFactory.getLogger(SpringTransactions.class);

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        PlatformTransactionManager manager = managers.get();
        TransactionStatus status = begin(manager);
        R result;
        try {
            result = run(work);
        } catch (Exception | Error e) {
            rollBack(manager, status, e);
            throw e;
        }
        commit(manager, status);
        return result;
    }

    private TransactionStatus begin(PlatformTransactionManager manager) {
        try {
            return manager.getTransaction(definition);
        } catch (TransactionUsageException e) {
            throw new IllegalStateException("the transaction of this operation cannot be begun here", e);
        }
    }

    @Override
    public boolean joinsRunning() {
        return CallersTransaction.isRunning(managers.get());
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

    /**
     * An exception in {@code afterCommit} does not undo the commit: the work is done, and its caller gets the result.
     */
    private static void commit(PlatformTransactionManager manager, TransactionStatus status) {
        AtomicBoolean committed = new AtomicBoolean();
        if (status.isNewTransaction() && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int completion) {
                    committed.set(completion == STATUS_COMMITTED);
                }
            });
        }
        try {
            manager.commit(status);
        } catch (RuntimeException | Error e) {
            if (!committed.get()) {
                throw e;
            }
            LOG.error(
                    "a transaction has committed with the outcome of its key, but a callback after its commit"
                            + " failed: it is not tried again",
                    e);
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
