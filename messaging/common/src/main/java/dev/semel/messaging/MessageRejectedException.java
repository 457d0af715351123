package dev.semel.messaging;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler for a message that can never be handled: it goes to the dead letters immediately. If the cause is
 * a failure of Semel, the message is tried again instead, because the message is not at fault.
 */
public class MessageRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
