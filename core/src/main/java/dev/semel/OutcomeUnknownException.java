package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an operation that cannot tell whether it had an effect, for example because an answer never came. Its key is
 * neither settled nor released: the policy's recovery decides what happens next, as if the owner had died.
 */
public class OutcomeUnknownException extends SemelException {

    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
