package dev.semel.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The retries of an operation have ended without an answer. */
public abstract class NoAnswerException extends IdempotentCallException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient List<RequestAttempt> attempts;
    private final @Nullable Duration retryAfter;

    NoAnswerException(
            String message,
            String key,
            List<RequestAttempt> attempts,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, cause);
        this.key = key;
        this.retryAfter = retryAfter;
        this.attempts = List.copyOf(attempts);
    }

    /** The key of the operation, for another retry or a search. */
    public String key() {
        return key;
    }

    /** The attempts that were made. */
    public List<RequestAttempt> attempts() {
        return attempts;
    }

    /** How long the server asked to wait in its last response, if it did. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The status of the last response, if there was any. */
    public OptionalInt lastStatus() {
        return attempts.stream()
                .filter(attempt -> attempt.status() != 0)
                .mapToInt(RequestAttempt::status)
                .reduce((first, second) -> second);
    }
}
