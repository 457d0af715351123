package dev.semel.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** Transactions of a driver: work that commits, or is rolled back when it fails. */
public final class Transactions {

    private Transactions() {}

    /** Work in a transaction. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {

        T run(Connection connection) throws E;
    }

    /** Runs the work in its own transaction, and leaves the connection as it was. */
    public static <T, E extends Exception> T run(Connection connection, Work<T, E> work) throws E, SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            T result = work.run(connection);
            connection.commit();
            return result;
        } catch (Throwable e) {
            rollBack(connection, e);
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** Runs the work in the transaction that the connection is in already, or in one of its own. */
    public static <T, E extends Exception> T join(Connection connection, Work<T, E> work) throws E, SQLException {
        return connection.getAutoCommit() ? run(connection, work) : work.run(connection);
    }

    /**
     * Rolls back without hiding the first failure from the caller. If the connection is broken, the transaction has
     * ended anyway.
     */
    private static void rollBack(Connection connection, Throwable first) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (Exception e) {
            first.addSuppressed(e);
        }
    }
}
