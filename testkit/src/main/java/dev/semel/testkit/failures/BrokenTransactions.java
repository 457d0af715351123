package dev.semel.testkit.failures;

import dev.semel.TransactionRunner;

/** Transactions that fail at their commit. */
final class BrokenTransactions {

    private BrokenTransactions() {}

    /** Rolled back instead of committed. */
    static <C> TransactionRunner<C> beforeCommit(TransactionRunner<C> transactions) {
        return new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<C, R> work) throws Exception {
                return transactions.inTransaction(transaction -> {
                    work.run(transaction);
                    throw new IllegalStateException("the commit failed");
                });
            }
        };
    }

    /** Committed, but the answer is lost. */
    static <C> TransactionRunner<C> afterCommit(TransactionRunner<C> transactions) {
        return new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<C, R> work) throws Exception {
                transactions.inTransaction(work);
                throw new IllegalStateException("the answer of the commit was lost");
            }
        };
    }
}
