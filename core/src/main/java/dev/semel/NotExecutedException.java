package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an operation that has had no effect: its key is released, and a retry with the same key runs immediately.
 *
 * <p>If an earlier attempt has died, or a step was finished, the key is not released but left to lapse, so that its
 * history is not lost: a retry may run when the lease has ended, according to the policy's recovery. If it was an operation
 * inside this one that threw it, this one may have had effects before: its outcome is unknown. In both cases the caller gets
 * an {@link OutcomeUnknownException} with this exception as its cause.
 */
public class NotExecutedException extends SemelException {

    private static final long serialVersionUID = 1L;

    public NotExecutedException(String message) {
        this(message, null);
    }

    public NotExecutedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
