package dev.semel.outbox;

import dev.semel.SemelException;
import org.jspecify.annotations.Nullable;

/** The destination will never accept the message, so it is given up. */
public class UndeliverableException extends SemelException {

    private static final long serialVersionUID = 1L;

    public UndeliverableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
