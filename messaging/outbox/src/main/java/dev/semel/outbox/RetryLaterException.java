package dev.semel.outbox;

import dev.semel.SemelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown by a destination to set the earliest time for the next try. */
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
