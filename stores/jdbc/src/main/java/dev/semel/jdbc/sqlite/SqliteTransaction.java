package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one store: each takes the write lock before it looks at anything, and is on disk when it ends.
 *
 * <p>Callers take turns, in the order in which they came, instead of polling a locked database. The caller that has the turn
 * also does the work of all who have come by then, so that they share one wait for the disk.
 *
 * @param turn shared by all stores of the process, since they may share a database
 */
record SqliteTransaction(ReentrantLock turn, Queue<Part<?>> waiting) {

    SqliteTransaction(ReentrantLock turn) {
        this(turn, new ConcurrentLinkedQueue<>());
    }

    /** Work in the transaction; {@code now} is its time, in microseconds. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection, long now) throws SQLException;
    }

    /** One caller's part of a transaction, changed only by the thread that holds the lock. */
    private static final class Part<T> {

        private final Work<T> work;
        private @Nullable T result;
        private @Nullable Throwable failure;
        private boolean over;

        Part(Work<T> work) {
            this.work = work;
        }

        void run(Connection connection, long now) throws SQLException {
            result = work.run(connection, now);
        }

        void end(@Nullable Throwable because) {
            failure = because;
            over = true;
        }

        T result() throws SQLException {
            if (failure instanceof SQLException e) {
                throw e;
            } else if (failure instanceof RuntimeException e) {
                throw e;
            } else if (failure instanceof Error e) {
                throw e;
            }
            return Objects.requireNonNull(result);
        }
    }

    /** Runs the work on this connection, or on that of another caller of the same store. */
    <T> T run(Connection connection, Work<T> work) throws SQLException {
        Part<T> part = new Part<>(work);
        waiting.add(part);
        turn.lock();
        try {
            if (!part.over) {
                waiting.remove(part);
                runWithOthers(connection, part);
            }
        } finally {
            turn.unlock();
        }
        return part.result();
    }

    /** A part that fails leaves the transaction, which the others start again without it. */
    private void runWithOthers(Connection connection, Part<?> first) {
        List<Part<?>> parts = new ArrayList<>(List.of(first));
        while (!parts.isEmpty()) {
            Part<?> running = null;
            try {
                execute(connection, "PRAGMA synchronous = FULL");
                execute(connection, "BEGIN IMMEDIATE");
                long now = now(connection);
                for (int i = 0; i < parts.size(); i++) {
                    running = parts.get(i);
                    running.run(connection, now);
                    for (Part<?> next = waiting.poll(); next != null; next = waiting.poll()) {
                        parts.add(next);
                    }
                }
                running = null;
                execute(connection, "COMMIT");
                parts.forEach(part -> part.end(null));
                return;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                List<Part<?>> failed = running == null ? parts : List.of(running);
                failed.forEach(part -> part.end(e));
                parts.removeIf(part -> part.over);
            }
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
