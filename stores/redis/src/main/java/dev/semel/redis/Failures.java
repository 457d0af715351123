package dev.semel.redis;

import static dev.semel.util.Failures.unwrap;

import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Converts the errors of Lettuce and Redis to the exceptions of a store. */
final class Failures {

    /**
     * Errors that pass: a failover, a restart, a slot on the move, too few replicas, memory or disk that is full. Most begin with
     * a word of their own; before Redis 7, an error inside a script begins with where it happened.
     */
    private static final Pattern PASSING = Pattern.compile(
            "(ERR Error running script .*@user_script: ?\\d+: -?)?(LOADING|BUSY|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|READONLY"
                    + "|MOVED|ASK|NOREPLICAS|MISCONF|OOM|UNBLOCKED)\\b.*|ERR WAIT cannot be used with replica instances.*"
                    + "|.*Script attempted to access a non local key in a cluster node.*",
            Pattern.DOTALL);

    private Failures() {}

    /** Whether Redis answered with an error whose text contains this. */
    static boolean isError(Throwable failure, String text) {
        return unwrap(failure) instanceof RedisCommandExecutionException error
                && String.valueOf(error.getMessage()).contains(text);
    }

    /** Whether Redis did not answer at all. */
    static boolean isSilence(Throwable failure) {
        Throwable cause = unwrap(failure);
        return (cause instanceof RedisException && !(cause instanceof RedisCommandExecutionException))
                || cause instanceof IOException
                || cause instanceof CancellationException;
    }

    static StoreException wrap(Throwable failure) {
        Throwable cause = unwrap(failure);
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof StoreException known) {
            return known;
        } else if (cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException) {
            return new StoreUnavailableException("Redis did not answer in time: " + message, cause);
        } else if (cause instanceof RedisCommandExecutionException) {
            return PASSING.matcher(message).matches()
                    ? new StoreUnavailableException("Redis cannot serve the call now: " + message, cause)
                    : new StoreException("Redis refused the call: " + message, cause);
        } else if (cause instanceof CancellationException) {
            return new StoreUnavailableException("the call was given up before Redis had answered", cause);
        } else if (isSilence(cause)) {
            return new StoreUnavailableException("Redis cannot be reached: " + message, cause);
        }
        return new StoreException("the call of Redis failed in an unexpected way: " + cause, cause);
    }
}
