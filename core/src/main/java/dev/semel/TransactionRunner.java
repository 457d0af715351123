package dev.semel;

/**
 * Begins a transaction, runs work in it, and commits; rolls back if the work throws.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public interface TransactionRunner<C> {

    <R> R inTransaction(Work<C, R> work) throws Exception;

    /** What runs inside the transaction. */
    @FunctionalInterface
    interface Work<C, R> {

        R run(C transaction) throws Exception;
    }
}
