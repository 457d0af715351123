package dev.semel.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** A data source, and how the store uses its connections: one at a time, for one statement, in autocommit mode. */
public record StoreConnections(DataSource dataSource, Duration statementTimeout) {

    /** Work with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * Runs the work on a separate connection, and returns the connection as it was: it may come from a pool that the
     * application uses too.
     */
    public <T> T run(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            int networkTimeout = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(statementTimeout.toMillis()));
            try {
                return work.run(connection);
            } finally {
                if (!connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, networkTimeout);
                    if (!autoCommit) {
                        connection.setAutoCommit(false);
                    }
                }
            }
        }
    }
}
