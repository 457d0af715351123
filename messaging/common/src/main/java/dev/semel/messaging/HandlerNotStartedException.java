package dev.semel.messaging;

import dev.semel.NotExecutedException;
import org.jspecify.annotations.Nullable;

/** The handler of a message was not called, so this does not count as a try. */
final class HandlerNotStartedException extends NotExecutedException {

    private static final long serialVersionUID = 1L;

    HandlerNotStartedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
