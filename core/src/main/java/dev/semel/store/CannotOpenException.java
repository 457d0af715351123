package dev.semel.store;

import dev.semel.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * The stored data of the key is sealed and cannot be opened here, or not in time: a master key is missing, or the key
 * service is slow or unreachable. Nothing was changed. The store is not down, so the operation does not run, even if
 * its policy allows that; the same call can be sent again when the cause is gone.
 */
public final class CannotOpenException extends StoreException {

    private static final long serialVersionUID = 1L;

    public CannotOpenException(KeyDigest digest, String why, @Nullable Throwable cause) {
        super("what is stored for key " + digest + " cannot be opened: " + why, cause);
    }
}
