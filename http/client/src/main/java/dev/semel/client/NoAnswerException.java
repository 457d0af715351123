package dev.semel.client;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The retries of an operation have ended without an answer to it. */
public abstract class NoAnswerException extends IdempotentCallException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient List<Attempt> attempts;

    NoAnswerException(String message, String key, List<Attempt> attempts, @Nullable Throwable cause) {
        super(message, cause);
        this.key = key;
        this.attempts = List.copyOf(attempts);
    }

    /** The key of the operation, to try it again with, or to look for it. */
    public String key() {
        return key;
    }

    /** What was tried. */
    public List<Attempt> attempts() {
        return attempts;
    }

    /** The status of the last response, if there was any. */
    public OptionalInt lastStatus() {
        return attempts.stream()
                .filter(attempt -> attempt.status() != 0)
                .mapToInt(Attempt::status)
                .reduce((first, second) -> second);
    }
}
