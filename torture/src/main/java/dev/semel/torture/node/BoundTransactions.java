package dev.semel.torture.node;

import dev.semel.TransactionRunner;
import java.sql.Connection;
import java.util.Objects;

/** Transactions whose connection is found through the thread that runs them, as frameworks do it. */
final class BoundTransactions implements TransactionRunner<Connection> {

    private final TransactionRunner<Connection> transactions;
    private final ThreadLocal<Connection> bound = new ThreadLocal<>();

    BoundTransactions(TransactionRunner<Connection> transactions) {
        this.transactions = transactions;
    }

    /** The connection of the transaction that this thread is in. */
    Connection current() {
        return Objects.requireNonNull(bound.get(), "this thread is in no transaction");
    }

    @Override
    public <R> R inTransaction(Work<Connection, R> work) throws Exception {
        return transactions.inTransaction(connection -> {
            bound.set(connection);
            try {
                return work.run(connection);
            } finally {
                bound.remove();
            }
        });
    }

    @Override
    public boolean allowsSavepoints() {
        return transactions.allowsSavepoints();
    }
}
