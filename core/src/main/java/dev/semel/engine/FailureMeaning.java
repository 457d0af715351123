package dev.semel.engine;

import dev.semel.NotExecutedException;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeCodec;
import dev.semel.SemelException;
import dev.semel.lease.RunningAttempt;
import dev.semel.util.Failures;
import java.util.stream.Stream;

/** The meaning of a failure of an operation with external effects. */
enum FailureMeaning {
    /** Another attempt owns the key now, and its outcome counts. */
    LEASE_LOST,

    /** The operation had no effect. */
    NOT_EXECUTED,

    /** Unknown: the operation was disturbed from outside, or says itself that it cannot tell. */
    CANNOT_TELL,

    /** It is the operation's own failure, and so its outcome. */
    OUTCOME;

    /**
     * Checks in this order: a lost lease comes first, because nothing can be written then. An operation's own statement
     * that it did not execute comes before the causes of that exception. Failures of Semel come before the policy's
     * predicate, which knows types but not the origin of an exception.
     */
    static FailureMeaning of(Throwable failure, RunningAttempt attempt, OutcomeEncoder<?> encoder) {
        if (attempt.isLeaseLost()) {
            return LEASE_LOST;
        }
        boolean nested = NestedFailures.cameFromNested(failure, attempt) || isReplayed(failure);
        if (failure instanceof NotExecutedException && !nested) {
            return NOT_EXECUTED;
        }
        if (SemelException.findIndeterminate(failure) != null || Failures.wasInterrupted(failure)) {
            return CANNOT_TELL;
        }
        if (encoder.meansNotExecuted(failure)) {
            return nested ? CANNOT_TELL : NOT_EXECUTED;
        }
        return OUTCOME;
    }

    /** Whether it stands for the stored failure of a nested operation: see {@link OutcomeCodec#mapFailures}. */
    private static boolean isReplayed(Throwable failure) {
        return Stream.of(failure.getSuppressed()).anyMatch(OperationFailedException.class::isInstance);
    }
}
