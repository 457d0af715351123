package dev.semel.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operation may have been applied: a request may have arrived, and its answer was lost. A retry is only safe with
 * the same key and the same body, and only as long as the server keeps the key.
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
