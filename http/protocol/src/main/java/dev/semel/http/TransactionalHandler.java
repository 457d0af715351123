package dev.semel.http;

import dev.semel.Attempt;

/** The application behind the gate, where its outcome is stored in the transaction that it works in. */
@FunctionalInterface
public interface TransactionalHandler {

    /** Runs on the thread, and in the transaction, of the request. What it throws rolls back and reaches the client. */
    HandlerResponse handle(Attempt attempt) throws Exception;
}
