package dev.semel.rabbitmq;

import dev.semel.SemelException;

/** The broker has no queue for a message. */
public final class UnroutableException extends SemelException {

    private static final long serialVersionUID = 1L;

    UnroutableException(String message) {
        super(message, null);
    }
}
