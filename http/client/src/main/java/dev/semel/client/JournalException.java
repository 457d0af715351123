package dev.semel.client;

import org.jspecify.annotations.Nullable;

/** The journal cannot be opened, read or written. An operation that could not be written to it was not sent. */
public final class JournalException extends IdempotentCallException {

    private static final long serialVersionUID = 1L;

    JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
