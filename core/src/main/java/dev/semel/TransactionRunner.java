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
     * An exception before the work was called means that the transaction could not be started: callers get it as the
     * cause of a
     * {@link StoreUnavailableException}, except for the {@link IllegalStateException} of a wrong configuration.
     */
    <R> R inTransaction(Work<C, R> work) throws Exception;

    /**
     * Whether the work would become part of a transaction that is running already, and that its caller ends. In the
     * mode {@link Mode#SINGLE_TRANSACTION} the store is then not used outside that transaction: it would take a
     * second connection while the first is held.
     */
    default boolean joinsRunning() {
        return false;
    }

    /**
     * Whether a part of the work can be undone by a savepoint of the database, because only the database knows about
     * it. A persistence context holds writes back, and would send those of work that was undone.
     */
    default boolean allowsSavepoints() {
        return false;
    }

    /** What runs inside the transaction. */
    @FunctionalInterface
    interface Work<C, R> {

        R run(C transaction) throws Exception;
    }
}
