package dev.semel.bench.retention;

import dev.semel.bench.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sees what claims wait for: how old the oldest one was that waited for a lock, which depends on the store, and the oldest one
 * that waited for the log, which depends on the disk.
 */
final class ClaimWatch implements AutoCloseable {

    private static final long PERIOD_MILLIS = 10;

    private static final String WAITING = """
            SELECT wait_event_type = 'Lock', extract(epoch FROM clock_timestamp() - query_start) * 1000
            FROM pg_stat_activity
            WHERE state = 'active' AND query LIKE '%semel_key_claim%' AND pid <> pg_backend_pid()
                AND (wait_event_type = 'Lock' OR wait_event IN ('WalSync', 'WalWrite', 'WALWrite'))""";

    private final Connection connection;
    private final CompletableFuture<Void> watching;
    private volatile boolean closed;
    private volatile double longestForLock;
    private volatile double longestForLog;

    ClaimWatch(PostgresServer server) throws SQLException {
        this.connection = DriverManager.getConnection(server.url());
        this.watching = CompletableFuture.runAsync(this::watch);
    }

    private void watch() {
        try (PreparedStatement statement = connection.prepareStatement(WAITING)) {
            while (!closed) {
                look(statement);
                TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the claims were not watched", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                if (rows.getBoolean(1)) {
                    longestForLock = Math.max(longestForLock, rows.getDouble(2));
                } else {
                    longestForLog = Math.max(longestForLog, rows.getDouble(2));
                }
            }
        }
    }

    double longestForLock() {
        return longestForLock;
    }

    double longestForLog() {
        return longestForLog;
    }

    /** Fails if the watch did. */
    @Override
    public void close() throws SQLException {
        closed = true;
        try {
            watching.join();
        } finally {
            connection.close();
        }
    }
}
