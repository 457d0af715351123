package dev.semel.client;

import org.jspecify.annotations.Nullable;

/** The superclass of the client's exceptions: a call cannot be made, or has no answer. */
public class IdempotentCallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public IdempotentCallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
