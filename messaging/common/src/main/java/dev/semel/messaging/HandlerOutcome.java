package dev.semel.messaging;

import dev.semel.LeaseLostException;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelException;
import dev.semel.util.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Converts the end of a handler for the engine. */
final class HandlerOutcome {

    static final Outcome DONE = Outcome.succeeded().build();

    private HandlerOutcome() {}

    /** A rejection is an outcome; anything else stays a failure. */
    static CompletionStage<Outcome> ofFailure(Throwable failure) {
        Exception told = told(failure);
        return told instanceof MessageRejectedException
                ? CompletableFuture.completedStage(rejected(told))
                : CompletableFuture.failedStage(told);
    }

    static Outcome rejected(Exception why) {
        return OutcomeCodec.text().encodeFailure(why);
    }

    /** A failure of Semel's own, however deep, says nothing about what the handler did. */
    static Exception told(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        if (cause instanceof NotExecutedException
                || cause instanceof OutcomeUnknownException
                || cause instanceof LeaseLostException) {
            return (SemelException) cause;
        }
        SemelException own = SemelException.findIndeterminate(cause);
        if (own != null) {
            return new OutcomeUnknownException("the handler could not go on: " + own, cause);
        }
        return cause instanceof Exception exception ? exception : new CompletionException(cause);
    }
}
