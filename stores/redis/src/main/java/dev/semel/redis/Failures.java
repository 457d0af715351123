package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns what Lettuce and Redis report into the exceptions of a store. */
final class Failures {

    /** Errors that pass: a failover, a restart, a slot on the move, too few replicas, memory or disk that is full. */
    private static final Set<String> PASSING = Set.of(
            "LOADING",
            "BUSY",
            "TRYAGAIN",
            "CLUSTERDOWN",
            "MASTERDOWN",
            "READONLY",
            "MOVED",
            "ASK",
            "NOREPLICAS",
            "MISCONF",
            "OOM",
            "UNBLOCKED");

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Whether Redis answered with an error whose text contains this. */
    static boolean isError(Throwable failure, String text) {
        return unwrap(failure) instanceof RedisCommandExecutionException error
                && error.getMessage() != null
                && error.getMessage().contains(text);
    }

    static StoreException wrap(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof RedisCommandTimeoutException) {
            return new StoreUnavailableException("Redis did not answer in time: " + cause.getMessage(), cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            String message = String.valueOf(cause.getMessage());
            return PASSING.contains(message.split(" ", 2)[0])
                    ? new StoreUnavailableException("Redis cannot serve the call now: " + message, cause)
                    : new StoreException("Redis refused the call: " + message, cause);
        }
        if (cause instanceof RedisException || cause instanceof java.io.IOException) {
            return new StoreUnavailableException("Redis cannot be reached: " + cause.getMessage(), cause);
        }
        return new StoreException("the call of Redis failed in an unexpected way: " + cause, cause);
    }
}
