package dev.semel.check;

import org.jspecify.annotations.Nullable;

/** The API cannot be checked: it does not answer, or it refuses the plain request that all cases are derived from. */
public final class CannotRunException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CannotRunException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
