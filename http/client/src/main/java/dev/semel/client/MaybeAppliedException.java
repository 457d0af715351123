package dev.semel.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operation may have been applied: a request may have arrived, and its answer was lost. Trying it again is
 * safe with the same key and the same body, for as long as the server keeps the key, and with nothing else.
 */
public final class MaybeAppliedException extends NoAnswerException {

    private static final long serialVersionUID = 1L;

    MaybeAppliedException(
            String message,
            String key,
            List<RequestAttempt> attempts,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, key, attempts, retryAfter, cause);
    }
}
