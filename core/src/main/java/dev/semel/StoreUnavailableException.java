package dev.semel;

import org.jspecify.annotations.Nullable;

/** The store could not be reached or did not answer. The call may have taken effect; it can be sent again. */
public final class StoreUnavailableException extends StoreException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
