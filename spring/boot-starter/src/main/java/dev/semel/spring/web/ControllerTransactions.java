package dev.semel.spring.web;

import dev.semel.TransactionRunner;
import dev.semel.spring.Idempotent;
import dev.semel.spring.operation.Asynchronous;
import dev.semel.spring.operation.Policies;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.transaction.MethodTransactions;
import java.lang.reflect.Method;

/** Finds the transactions in which the responses of handler methods are stored. */
@FunctionalInterface
interface ControllerTransactions {

    TransactionRunner<?> of(Method method, Class<?> type, Idempotent idempotent);

    /** For handlers of which one thread does everything. */
    static ControllerTransactions onOneThread(MethodTransactions transactions) {
        return (method, type, idempotent) -> {
            String asynchronous = Asynchronous.in(method, type);
            if (asynchronous != null) {
                throw new SemelConfigurationException(
                        "@Idempotent on " + Policies.describe(method, type) + " has mode " + idempotent.mode()
                                + ", but it " + asynchronous + ", which goes on when its transaction is over.",
                        "Return the value itself, or use mode EXTERNAL.");
            }
            if (!idempotent.waitFor().isEmpty()) {
                throw new SemelConfigurationException(
                        "@Idempotent on " + Policies.describe(method, type) + " has mode " + idempotent.mode()
                                + ", in which a duplicate that waits would hold its thread.",
                        "Remove waitFor: a duplicate then gets 409 with Retry-After.");
            }
            return transactions.of(method, type);
        };
    }

    /** For handlers that hop between threads. */
    static ControllerTransactions none() {
        return (method, type, idempotent) -> {
            throw new SemelConfigurationException(
                    "@Idempotent on the handler method " + Policies.describe(method, type) + " has mode "
                            + idempotent.mode() + ", but a reactive handler has no thread that a transaction could"
                            + " belong to.",
                    "Give the handler recovery = RE_EXECUTE and an Attempt parameter, and let it call a method of"
                            + " another bean that has @Idempotent(mode = " + idempotent.mode()
                            + ") and is passed the Attempt: its work then happens once.");
        };
    }
}
