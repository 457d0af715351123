package dev.semel.redis;

import dev.semel.StoreException;
import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** Errors that pass and have no word of their own: a master that is none any more, and a slot on the move. */
    private static final List<String> PASSING_TEXTS = List.of(
            "ERR WAIT cannot be used with replica instances",
            "Script attempted to access a non local key in a cluster node");

    /** The word that an error begins with. Before Redis 7 an error inside a script begins with where it happened. */
    private static final Pattern WORD =
            Pattern.compile("(?:ERR Error running script .*@user_script: ?\\d+: -?)?(\\w+)", Pattern.DOTALL);

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

    /** Whether this is not an answer of Redis but the lack of one. */
    static boolean isSilence(Throwable failure) {
        Throwable cause = unwrap(failure);
        return (cause instanceof RedisException && !(cause instanceof RedisCommandExecutionException))
                || cause instanceof java.io.IOException
                || cause instanceof CancellationException;
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
            return passes(message)
                    ? new StoreUnavailableException("Redis cannot serve the call now: " + message, cause)
                    : new StoreException("Redis refused the call: " + message, cause);
        }
        if (cause instanceof CancellationException) {
            return new StoreUnavailableException("the call was given up before Redis had answered", cause);
        }
        if (isSilence(cause)) {
            return new StoreUnavailableException("Redis cannot be reached: " + cause.getMessage(), cause);
        }
        return new StoreException("the call of Redis failed in an unexpected way: " + cause, cause);
    }

    private static boolean passes(String message) {
        Matcher begin = WORD.matcher(message);
        return (begin.lookingAt() && PASSING.contains(begin.group(1)))
                || PASSING_TEXTS.stream().anyMatch(message::contains);
    }
}
