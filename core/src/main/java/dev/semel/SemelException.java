package dev.semel;

import dev.semel.util.Failures;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The superclass of all exceptions of Semel: something broke, or an execution has no value. */
public class SemelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SemelException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Finds the failure of Semel that made an operation fail: the store was down, the lease was lost, or a nested key
     * was in flight or its outcome unknown. Such a failure does not say what the operation did, so it never becomes the
     * stored outcome, however deep it is in the cause chain. If the database aborted a nested transaction, it is a
     * suppressed exception of that failure.
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
