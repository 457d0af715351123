package dev.semel.spring;

import dev.semel.SemelException;
import dev.semel.messaging.Verdict;

/** Makes the container of a listener keep a record, and deliver it again: its key is not settled yet. */
final class RecordNotSettledException extends SemelException {

    private static final long serialVersionUID = 1L;

    RecordNotSettledException(String operation, Verdict.Again again) {
        super("the record is to be offered to " + operation + " again: " + again.cause(), again.failure());
    }
}
