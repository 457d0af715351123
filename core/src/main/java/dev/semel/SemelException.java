package dev.semel;

import dev.semel.util.Failures;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The root of Semel's exceptions: something broke, or an execution has no value. */
public class SemelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SemelException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Finds the failure of Semel itself that made an operation fail: the store was down, the lease was lost, a nested
     * key was in flight or its outcome unknown. Such a failure does not tell what the operation did, so it never
     * becomes its outcome, however deep in the cause chain it is. It is suppressed in the failure of a nested
     * transaction
     * that its database has broken off.
     *
     * @return {@code null} if the failure is the operation's own
     */
    public static @Nullable SemelException findIndeterminate(@Nullable Throwable failure) {
        return failure == null
                ? null
                : Failures.causes(failure)
                        .flatMap(cause -> Stream.concat(
                                Stream.of(cause),
                                Arrays.stream(cause.getSuppressed()).flatMap(Failures::causes)))
                        .filter(SemelException.class::isInstance)
                        .map(SemelException.class::cast)
                        .filter(SemelException::isIndeterminate)
                        .findFirst()
                        .orElse(null);
    }

    /** Whether an operation that ends with this exception may have had an effect or not. */
    boolean isIndeterminate() {
        return true;
    }
}
