package dev.semel.http;

import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelException;
import dev.semel.http.shadow.ShadowedEnd;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.util.Failures;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The end of a handler, and its meaning for the key.
 *
 * @param response the response; {@code null} if there is none
 * @param failure the exception that it threw, or that the application converted to the response
 */
record HandlerEnd(
        Policy policy,
        @Nullable HandlerResponse response,
        @Nullable Throwable failure) {

    /** The statuses with which an application says that it does not carry out the request. */
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 404, 405, 413, 415, 422, 429);

    /** Whether a status usually means that the application does not carry out the request. */
    static boolean isRefusal(int status) {
        return REFUSALS.contains(status);
    }

    /** What an answer of the application, which ran unprotected, means for its key. */
    static ShadowedEnd meaning(HttpRules rules, HandlerResponse response) {
        HandlerEnd end = of(rules, response, null);
        try {
            end.outcome();
        } catch (CompletionException e) {
            if (e.getCause() instanceof NotExecutedException || end.meansNotExecuted()) {
                return ShadowedEnd.NOT_EXECUTED;
            }
            // What runs in a transaction is rolled back, and its key stays free.
            return e.getCause() instanceof OutcomeUnknownException
                            && rules.policy().mode() == Mode.EXTERNAL
                    ? ShadowedEnd.UNKNOWN
                    : ShadowedEnd.EXECUTED;
        }
        boolean refused = rules.policy()
                .refused()
                .test(Outcome.failed().status(response.status()).build());
        return refused ? ShadowedEnd.NOT_EXECUTED : ShadowedEnd.EXECUTED;
    }

    /** In some dialects, an error leaves the handler unfinished. */
    static HandlerEnd of(HttpRules rules, @Nullable HandlerResponse made, @Nullable Throwable thrown) {
        Policy policy = rules.policy();
        if (made != null
                && thrown == null
                && made.failure() == null
                && rules.dialect().resumes(made.status())) {
            return of(
                    policy,
                    made.unfinished("it answered with status " + made.status() + ", and a retry resumes it"),
                    null);
        }
        HandlerEnd end = of(policy, made, thrown);
        return end.response == null && rules.dialect().resumesExceptions() ? end.unfinished() : end;
    }

    static HandlerEnd of(Policy policy, @Nullable HandlerResponse made, @Nullable Throwable thrown) {
        if (made == null || thrown != null) {
            return new HandlerEnd(policy, null, thrown == null ? null : Failures.unwrap(thrown));
        }
        return new HandlerEnd(policy, made.isUnanswered() ? null : made, made.failure());
    }

    /** The same end without a response, of a handler that is to be run again; unless its failure says more. */
    private HandlerEnd unfinished() {
        return failure == null || meansNotExecuted() || findInterruption(failure) != null
                ? this
                : new HandlerEnd(
                        policy, response, new OutcomeUnknownException("it failed, and a retry resumes it", failure));
    }

    /** The response, if it is the outcome; otherwise throws the failure for the engine, as stages do. */
    HandlerResponse outcome() {
        if (response == null) {
            Throwable thrown =
                    Objects.requireNonNull(failure, "the handler ended without a response and without a failure");
            throw new CompletionException(interruption() == null ? thrown : cannotTell(thrown));
        }
        if (!response.entered()) {
            throw new CompletionException(
                    new NotExecutedException("it was refused before its handler was entered", failure));
        }
        if (meansNotExecuted()) {
            // As it is: the engine knows whether it comes from an operation inside this one.
            throw new CompletionException(failure);
        }
        if (failure != null && findInterruption(failure) != null) {
            throw new CompletionException(cannotTell(failure));
        }
        return response;
    }

    private static OutcomeUnknownException cannotTell(Throwable cause) {
        return cause instanceof OutcomeUnknownException own
                ? own
                : new OutcomeUnknownException("the operation was interrupted by a failure around it", cause);
    }

    /**
     * The failure that stopped the handler half-way, even if the application has converted it: a failure of Semel
     * itself, or a cancellation; {@code null} if the handler ended otherwise, or says itself what it did.
     */
    @Nullable
    Throwable interruption() {
        return failure == null || failure instanceof OutcomeUnknownException || meansNotExecuted()
                ? null
                : findInterruption(failure);
    }

    private static @Nullable Throwable findInterruption(Throwable failure) {
        SemelException own = SemelException.findIndeterminate(failure);
        return own == null && Failures.wasInterrupted(failure) ? failure : own;
    }

    /** Whether the failure means that nothing was executed. A predicate that throws is reported by the engine, which asks too. */
    boolean meansNotExecuted() {
        try {
            return failure != null && policy.meansNotExecuted(failure);
        } catch (RuntimeException e) {
            return false;
        }
    }
}
