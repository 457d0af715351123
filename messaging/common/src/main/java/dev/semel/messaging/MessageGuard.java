package dev.semel.messaging;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.NotExecutedException;
import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Policy;
import dev.semel.Recovery;
import dev.semel.Semel;
import dev.semel.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs messages under their keys, and says of each what is to be done with it. It knows no broker. */
public final class MessageGuard<M> {

    private static final Duration ANY_TIME = Duration.ofDays(1);

    private final Semel semel;
    private final Policy policy;
    private final Policy rejection;
    private final Handling<M> handling;
    private final Executor executor;
    private final Limit limit;
    private final boolean waitsForUnknown;

    /**
     * Makes a guard.
     *
     * @param executor where handlers run
     * @param maxAttempts how often a message is tried before it is dead; 0 for ever
     * @param waitsForUnknown whether a message that nobody knows the outcome of is kept until somebody does
     */
    public MessageGuard(
            Semel semel,
            Policy policy,
            Handling<M> handling,
            Executor executor,
            int maxAttempts,
            boolean waitsForUnknown) {
        handling.requireFor(policy);
        if (maxAttempts < 0) {
            throw new IllegalArgumentException("the most attempts must not be negative, got " + maxAttempts);
        }
        this.semel = semel;
        this.policy = policy.toBuilder()
                .notExecuted(failure -> !(failure instanceof MessageRejectedException)
                        && policy.notExecuted().test(failure))
                .build();
        // Has a name of its own, because it treats a key differently: storing a failure can always be repeated.
        this.rejection = Policy.external(policy.operation() + " (rejection)")
                .recovery(Recovery.RE_EXECUTE)
                .lease(policy.lease())
                .retention(policy.retention())
                .build();
        this.handling = handling;
        this.executor = task -> execute(executor, task);
        this.limit = new Limit(maxAttempts);
        this.waitsForUnknown = waitsForUnknown;
        semel.register(this.policy);
    }

    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            throw new NotExecutedException("the executor of the handler is full", e);
        }
    }

    /** Whether a key may be claimed before the turn of its message has come: dying in between must do no harm. */
    public boolean claimsAhead() {
        return !handling.isTransactional() && policy.recovery() == Recovery.RE_EXECUTE;
    }

    /** Offers a message to its key. The handler runs when its turn has come. */
    public CompletionStage<Verdict> offer(Key key, Fingerprint fingerprint, M message, Turn turn) {
        return handling.run(semel, Call.of(key, fingerprint, policy), executor, turn, message, limit)
                .handle(this::judge);
    }

    /** Offers a message to its key, and runs the handler on the calling thread. */
    public Verdict offerHere(Key key, Fingerprint fingerprint, M message) {
        try {
            return judge(handling.runHere(semel, Call.of(key, fingerprint, policy), message, limit), null);
        } catch (Exception e) {
            return judge(null, e);
        }
    }

    /** Whether a message that was not executed so many times is to be given up with {@link #reject}. */
    public boolean isGivenUpAfter(int tries) {
        return limit.isReached(tries);
    }

    /**
     * Stores a failure under the key of a message that cannot be handled, and says that the message is dead. A transaction
     * that was rolled back has stored nothing. If it left its key to lapse, for the sake of a step, this has to be repeated
     * until it has.
     */
    public CompletionStage<Verdict> reject(Key key, Fingerprint fingerprint, MessageRejectedException why) {
        return semel.executeAsync(
                        Call.of(key, fingerprint.forOperation(policy.identity()), rejection),
                        Runnable::run,
                        attempt -> CompletableFuture.failedStage(why))
                .handle(this::judge);
    }

    private Verdict judge(@Nullable Execution<Outcome> execution, @Nullable Throwable failure) {
        if (failure != null) {
            return judge(unwrap(failure));
        }
        if (execution instanceof Execution.Executed<Outcome> executed) {
            // One that ran unprotected has no key: offered again, it would run again.
            return executed.settled() || executed.attempt() == 0
                    ? new Verdict.Settled(true)
                    : new Verdict.Again(Verdict.Cause.RAN, policy.lease(), null);
        }
        if (execution instanceof Execution.Replayed<Outcome> replayed) {
            return replayed.outcome().isSuccess() ? new Verdict.Settled(false) : dead(replayed.outcome());
        }
        if (execution instanceof Execution.InFlight<Outcome> inFlight) {
            // Stores that cannot see the lease say that nothing is left of it, which does not mean that the key is
            // free.
            Duration left = inFlight.leaseLeft();
            return new Verdict.Again(
                    Verdict.Cause.IN_FLIGHT, left.compareTo(Duration.ZERO) > 0 ? left : policy.lease(), null);
        }
        if (execution instanceof Execution.Mismatched<Outcome>) {
            return new Verdict.Dead(
                    Verdict.Reason.MISMATCHED,
                    MessageRejectedException.class.getName(),
                    "the key belongs to a message with another content");
        }
        if (execution instanceof Execution.Expired<Outcome>) {
            return new Verdict.Settled(false);
        }
        return waitsForUnknown
                ? new Verdict.Again(Verdict.Cause.UNKNOWN, ANY_TIME, null)
                : new Verdict.Dead(
                        Verdict.Reason.UNKNOWN,
                        OutcomeUnknownException.class.getName(),
                        "an attempt died, and nobody knows what it did");
    }

    private Verdict judge(Throwable failure) {
        if (failure instanceof UnprotectedFailure unprotected) {
            return judgeUnprotected(unwrap(unprotected.failure()));
        }
        if (failure instanceof StoreException) {
            return new Verdict.Again(Verdict.Cause.STORE_DOWN, policy.lease(), failure);
        }
        if (failure instanceof LeaseLostException) {
            return new Verdict.Again(Verdict.Cause.IN_FLIGHT, policy.lease(), failure);
        }
        if (policy.meansNotExecuted(failure)
                || (handling.isTransactional() && !(failure instanceof MessageRejectedException))) {
            return new Verdict.Again(Verdict.Cause.NOT_EXECUTED, ANY_TIME, failure);
        }
        // The failure is stored, or about to be: the key says what became of it, also after a crash right here. Of a
        // rejection in a transaction nothing is stored, and it is to be.
        return new Verdict.Again(Verdict.Cause.RAN, Duration.ZERO, failure);
    }

    /** Nothing is stored of such a run: what it ended with is all that will ever be known. */
    private Verdict judgeUnprotected(Throwable failure) {
        return policy.meansNotExecuted(failure)
                ? new Verdict.Again(Verdict.Cause.NOT_EXECUTED, ANY_TIME, failure)
                : new Verdict.Dead(
                        Verdict.Reason.FAILED, failure.getClass().getName(), String.valueOf(failure.getMessage()));
    }

    private static Verdict dead(Outcome outcome) {
        try {
            OutcomeCodec.text().decode(outcome);
            throw new IllegalStateException("a failed outcome decodes to a value: " + outcome);
        } catch (OperationFailedException e) {
            return new Verdict.Dead(Verdict.Reason.FAILED, e.type(), String.valueOf(e.getMessage()));
        }
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
