package dev.semel.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached or did not answer. The call may have taken effect, unless {@link #isNotSent}; it can be
 * sent again.
 */
public final class StoreUnavailableException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final boolean notSent;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private StoreUnavailableException(String message, @Nullable Throwable cause, boolean notSent) {
        super(message, cause);
        this.notSent = notSent;
    }

    /**
     * Creates the exception for a call that the store has refused or withdrawn before it was sent, so that it cannot
     * have taken effect.
     */
    public static StoreUnavailableException notSent(String message) {
        return new StoreUnavailableException(message, null, true);
    }

    /** Whether the call certainly has not taken effect, and never will. */
    public boolean isNotSent() {
        return notSent;
    }
}
