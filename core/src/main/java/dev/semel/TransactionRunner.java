package dev.semel;

import dev.semel.policy.Mode;
import dev.semel.store.StoreUnavailableException;

/**
 * Begins a transaction, runs work in it, and commits; rolls back if the work throws.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public interface TransactionRunner<C> {

    /**
     * Runs the work in a transaction. If this throws before it calls the work, the transaction could not be started:
     * callers then get a {@link StoreUnavailableException} with that cause, except that an {@link
     * IllegalStateException} (a wrong configuration) is thrown as it is.
     */
    <R> R inTransaction(Work<C, R> work) throws Exception;

    /**
     * Whether the work would join a transaction that is already running, and that the caller ends. In the mode {@link
     * Mode#SINGLE_TRANSACTION} the store is then not used outside that transaction: it would take a second connection
     * while the first is held.
     */
    default boolean joinsRunning() {
        return false;
    }

    /**
     * Whether a database savepoint can undo a part of the work. This is false with a persistence context: it delays
     * writes, and would send those of work that was undone.
     */
    default boolean allowsSavepoints() {
        return false;
    }

    /** The work that runs inside the transaction. */
    @FunctionalInterface
    interface Work<C, R> {

        R run(C transaction) throws Exception;
    }
}
