package dev.semel.spring;

import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.OutboxRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Adds messages to the outbox in the running transaction: both commit, or neither. */
public final class TransactionalOutbox {

    private final Outbox outbox;
    private final DataSource dataSource;
    private final ObjectProvider<OutboxRelay> relay;

    /** Called by the starter. An application with several outboxes creates its own. */
    public TransactionalOutbox(Outbox outbox, DataSource dataSource, ObjectProvider<OutboxRelay> relay) {
        this.outbox = outbox;
        this.dataSource = dataSource;
        this.relay = relay;
    }

    /** Adds messages, in this order. Throws an exception if no transaction is running. */
    public void add(OutboxMessage... messages) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, dataSource)) {
                throw new IllegalStateException("no transaction of the DataSource of the outbox is running;"
                        + " put @Transactional on the method that adds the message");
            }
            outbox.add(connection, List.of(messages));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("the messages could not be added to the outbox", e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
        wakeRelayAfterCommit();
    }

    private void wakeRelayAfterCommit() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    relay.ifAvailable(OutboxRelay::wake);
                }
            });
        }
    }
}
