package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The one writer of a SQLite database: a transaction that takes the write lock before it looks at anything, and is on
 * disk when it ends.
 *
 * <p>The lanes of the stores of this process take turns, in the order in which they came, instead of knocking at a
 * locked database.
 */
final class SqliteTransaction {

    private final ReentrantLock turn = new ReentrantLock(true);

    /** What is done in the transaction; {@code now} is its time, in microseconds. */
    @FunctionalInterface
    interface Work<T> {
        T run(long now) throws SQLException;
    }

    <T> T run(Connection connection, Work<T> work) throws SQLException {
        turn.lock();
        try {
            execute(connection, "PRAGMA synchronous = FULL");
            execute(connection, "BEGIN IMMEDIATE");
            try {
                T result = work.run(now(connection));
                execute(connection, "COMMIT");
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            }
        } finally {
            turn.unlock();
        }
    }

    private static void rollBack(Connection connection, Throwable because) {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // SQLite has rolled back by itself after some errors, and says here that there is nothing to roll back.
            because.addSuppressed(e);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long now(Connection connection) throws SQLException {
        return PLAIN.one(
                connection, "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000", row -> row.getLong(1));
    }
}
