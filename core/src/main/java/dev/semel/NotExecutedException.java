package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by an operation that has had no effect: its key is released, and the same key may try again at once.
 *
 * <p>If an earlier attempt has died, or a step was finished, the key is not released but left to lapse, so that what is
 * known of it is not forgotten: the same key may try again when the lease has run out, as the policy's recovery says.
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
