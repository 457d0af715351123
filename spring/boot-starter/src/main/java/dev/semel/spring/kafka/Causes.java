package dev.semel.spring.kafka;

import org.jspecify.annotations.Nullable;

/** Looks for an exception among the causes of another. */
final class Causes {

    /** A cause chain may have a cycle. */
    private static final int MAX_DEPTH = 100;

    private Causes() {}

    static <E extends Throwable> @Nullable E find(@Nullable Throwable failure, Class<E> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
