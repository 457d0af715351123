package dev.semel.messaging;

import dev.semel.NotExecutedException;
import org.jspecify.annotations.Nullable;

/** Says that a message did not get to its handler, so that it has used up none of its tries. */
final class HandlerNotStartedException extends NotExecutedException {

    private static final long serialVersionUID = 1L;

    HandlerNotStartedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
