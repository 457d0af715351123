package dev.semel.util;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Unwraps the exceptions that completion stages wrap around others. */
public final class Failures {

    private static final int MAX_DEPTH = 100;

    private Failures() {}

    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** A failure and its causes, outermost first. A chain may have a cycle: it is cut off. */
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_DEPTH);
    }

    /** The outermost of a failure and its causes that is of this type. */
    public static <E extends Throwable> Optional<E> find(@Nullable Throwable failure, Class<E> type) {
        return Stream.ofNullable(failure)
                .flatMap(Failures::causes)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    /** Whether a shutdown, a cancelled future or a machine without memory ended something half-way, whatever wraps that. */
    public static boolean wasInterrupted(Throwable failure) {
        return causes(failure)
                .anyMatch(cause -> cause instanceof CancellationException
                        || cause instanceof InterruptedException
                        || cause instanceof OutOfMemoryError);
    }

    /** Throws the failure unchanged: for the compiler it is an {@code E}, which the caller declares. */
    @SuppressWarnings("unchecked")
    public static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
