package dev.semel;

import org.jspecify.annotations.Nullable;

/** Thrown by an operation that has had no effect: its key is released, and the same key may try again. */
public class NotExecutedException extends SemelException {

    private static final long serialVersionUID = 1L;

    public NotExecutedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
