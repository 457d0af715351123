package dev.semel.outbox;

import dev.semel.SemelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown by a destination that says itself when the message is to be sent again, and not before. */
public class RetryLaterException extends SemelException {

    private static final long serialVersionUID = 1L;

    private final Duration after;

    public RetryLaterException(String message, Duration after, @Nullable Throwable cause) {
        super(message, cause);
        this.after = after;
    }

    public Duration after() {
        return after;
    }
}
