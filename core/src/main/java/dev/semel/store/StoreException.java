package dev.semel.store;

import dev.semel.SemelException;
import org.jspecify.annotations.Nullable;

/**
 * The store refused a call, and sending it again will not help.
 *
 * <p>A failure that may pass is a {@link StoreUnavailableException}.
 */
public class StoreException extends SemelException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
