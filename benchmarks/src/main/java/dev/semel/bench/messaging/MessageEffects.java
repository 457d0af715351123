package dev.semel.bench.messaging;

import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What the handlers of the benchmark do: insert a row for each message. */
record MessageEffects(DataSource dataSource) {

    private static final long POLL_NANOS = 1_000_000;

    void add(String key) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            add(connection, key);
        }
    }

    static void add(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (key) VALUES (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
    }

    /** Waits until there are so many rows, and no more, and says how many there were for each second since the start. */
    double awaitAll(int count, long startedAt) {
        while (count() < count) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        if (count() != count) {
            throw new IllegalStateException(count() + " effects of " + count + " messages");
        }
        return count / seconds;
    }

    private long count() {
        return TestPostgres.number(dataSource, "SELECT count(*) FROM effect");
    }
}
