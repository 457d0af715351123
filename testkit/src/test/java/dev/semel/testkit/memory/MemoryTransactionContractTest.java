package dev.semel.testkit.memory;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.TransactionContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

class MemoryTransactionContractTest extends TransactionContract<Connection> {

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));
    private TransactionalMemoryStore store = TransactionalMemoryStore.withClock(clock);

    @Override
    protected KeyStore openStore() {
        return store;
    }

    @Override
    protected void clear() {
        store = TransactionalMemoryStore.withClock(clock);
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected Transaction<Connection> begin() {
        try {
            Connection connection = store.dataSource().getConnection();
            connection.setAutoCommit(false);
            return new MemoryTransactionHandle(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record MemoryTransactionHandle(Connection handle) implements Transaction<Connection> {

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
                handle.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
