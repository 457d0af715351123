package dev.semel.bench.messaging;

import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * What the handlers of a measurement do: insert a row for each message.
 *
 * @param added how many have been inserted, counted here because counting rows takes time from the handlers
 */
record MessageEffects(DataSource dataSource, AtomicInteger added) {

    private static final long POLL_NANOS = 500_000;

    MessageEffects(DataSource dataSource) {
        this(dataSource, new AtomicInteger());
    }

    void add(String key) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            add(connection, key);
        }
    }

    void add(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (key) VALUES (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
        added.incrementAndGet();
    }

    /**
     * Waits until there are so many rows, and no more, and says how many there were for each second after the first ones:
     * until then consumers are found and assigned what to consume.
     */
    double awaitAll(int first, int count) {
        awaitAdded(first);
        long startedAt = System.nanoTime();
        int before = added.get();
        awaitAdded(count);
        while (rows() < count) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        if (rows() != count) {
            throw new IllegalStateException(rows() + " effects of " + count + " messages");
        }
        return (count - before) / seconds;
    }

    private void awaitAdded(int count) {
        while (added.get() < count) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private long rows() {
        return TestPostgres.number(dataSource, "SELECT count(*) FROM effect");
    }
}
