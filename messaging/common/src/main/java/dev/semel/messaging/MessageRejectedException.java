package dev.semel.messaging;

import dev.semel.SemelException;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler for a message that can never be handled: it goes to the dead letters at once. */
public class MessageRejectedException extends SemelException {

    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
