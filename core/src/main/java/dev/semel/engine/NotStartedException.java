package dev.semel.engine;

import dev.semel.NotExecutedException;
import dev.semel.lease.RunningAttempt;
import org.jspecify.annotations.Nullable;

/** The operation was never started: its executor refused it, or its lease could not be confirmed before. */
final class NotStartedException extends NotExecutedException {

    private static final long serialVersionUID = 1L;

    private final transient RunningAttempt attempt;

    NotStartedException(String message, @Nullable Throwable cause, RunningAttempt attempt) {
        super(message, cause);
        this.attempt = attempt;
    }

    /** Whether it was this attempt that did not start, and not one nested in it. */
    boolean isOf(RunningAttempt other) {
        return attempt == other;
    }
}
