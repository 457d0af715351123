package dev.semel;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What is inside the exceptions that stages wrap around others. */
final class Failures {

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** A store that throws anything else has a bug; repeating the call would not mend it. */
    static StoreException asStoreException(Throwable failure) {
        return failure instanceof StoreException known
                ? known
                : new StoreException("the store failed in an unexpected way: " + failure, failure);
    }

    /** Throws the failure as it is: the compiler is told that it is an {@code E}, which the caller declares. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
