package dev.semel;

import org.jspecify.annotations.Nullable;

/** The root of what Semel throws: something broke, or an execution has no value to give. */
public class SemelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SemelException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
