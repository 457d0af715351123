package dev.semel.spring.transaction;

import dev.semel.TransactionRunner;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.sql.Connection;

/** Finds the transactions in which outcomes of methods are stored. */
@FunctionalInterface
public interface MethodTransactions {

    TransactionRunner<Connection> of(Method method, Class<?> type);

    /** For applications without a transaction manager, or with a store that is not a database. */
    static MethodTransactions none() {
        return (method, type) -> {
            throw new SemelConfigurationException(
                    "@Idempotent on " + Policies.describe(method, type)
                            + " has a transactional mode, but its outcome cannot be stored in a transaction.",
                    "Let Semel keep its keys in the application's database (semel.store=jdbc), with a transaction"
                            + " manager for the same DataSource; or use mode EXTERNAL.");
        };
    }
}
