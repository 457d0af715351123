package dev.semel.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operation was certainly not applied: no request reached the server, or each one was refused before it began. */
public final class NotAppliedException extends NoAnswerException {

    private static final long serialVersionUID = 1L;

    NotAppliedException(
            String message,
            String key,
            List<RequestAttempt> attempts,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, key, attempts, retryAfter, cause);
    }
}
