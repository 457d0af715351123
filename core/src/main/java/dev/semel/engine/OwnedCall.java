package dev.semel.engine;

import dev.semel.Execution;
import dev.semel.Execution.Durability;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.ExternalOperation.Work;
import dev.semel.KeyClaim;
import dev.semel.LeaseLostException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Mode;
import dev.semel.policy.Recovery;
import dev.semel.util.CallerThread;
import dev.semel.util.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A call that has its key: it starts the operation under a lease that is alive, then settles or releases the key. */
final class OwnedCall<T> implements KeyClaim.Owned<T> {

    private final Flow<T> flow;
    private final Engine engine;
    private final RunningAttempt attempt;
    private final AtomicBoolean ended = new AtomicBoolean();

    OwnedCall(Flow<T> flow, RunningAttempt attempt) {
        this.flow = flow;
        this.engine = flow.engine;
        this.attempt = attempt;
    }

    @Override
    public RunningAttempt attempt() {
        return attempt;
    }

    @Override
    public CompletionStage<Execution<T>> execution() {
        return flow.execution.minimalCompletionStage();
    }

    @Override
    public boolean complete(T value) {
        return end(() -> returned(value));
    }

    @Override
    public boolean fail(Throwable failure) {
        return end(() -> threw(Failures.unwrap(failure)));
    }

    /**
     * Makes sure that an attempt ends, whatever goes wrong: otherwise the heartbeat would keep its key in flight
     * forever.
     */
    private boolean end(Supplier<CompletionStage<Execution<T>>> ending) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        engine.attempts.ending(attempt, ending).handle((execution, failure) -> {
            flow.ended(execution, failure);
            return true;
        });
        return true;
    }

    /** Runs the operation and ends the call by other means, on the calling thread. */
    Execution<T> endWith(Supplier<CompletionStage<Execution<T>>> ending) {
        end(ending);
        return CallerThread.await(flow.execution);
    }

    /**
     * This call under a lease that is alive at this moment, or how the call ended without one: a lease that may have lapsed
     * while the claim was answered is renewed first.
     */
    KeyClaim<T> onceAlive() {
        while (!attempt.isLeaseAlive()) {
            try {
                CallerThread.await(confirm());
            } catch (RuntimeException | Error e) {
                fail(notStarted(e));
                return CallerThread.await(flow.execution);
            }
        }
        return this;
    }

    private CompletionStage<Void> confirm() {
        return engine.attempts.keeper.confirm(attempt, flow.policy.lease());
    }

    private Throwable notStarted(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        return cause instanceof LeaseLostException
                ? cause
                : new NotStartedException(
                        "operation " + flow.policy.operation()
                                + " was not started: the store did not confirm that its lease is held",
                        cause,
                        attempt);
    }

    /** Notifies the tracer that the work starts now, outside the engine. */
    void tellStarted() {
        try {
            flow.trace.running(() -> true);
        } catch (Exception e) {
            Events.LOG.warn("tracing {} failed", attempt.key(), e);
        }
    }

    /** Runs the work on the calling thread. */
    Execution<T> run(Work<T, ?> work) {
        try {
            complete(flow.trace.running(() -> work.run(attempt)));
        } catch (Throwable e) {
            fail(e);
        }
        return CallerThread.await(flow.execution);
    }

    /**
     * Starts the work on the executor, or fails: an executor that refuses a task may have it in its queue all the same. A
     * lease that may have lapsed while the work waited for a thread is renewed, and the work waits for a thread again.
     */
    void start(Executor executor, AsyncWork<T> work) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    startIfAlive(executor, work);
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                fail(new NotStartedException(
                        "the executor of operation " + flow.policy.operation() + " did not start it", e, attempt));
            }
        }
    }

    private void startIfAlive(Executor executor, AsyncWork<T> work) {
        if (!attempt.isLeaseAlive()) {
            confirm().whenComplete((alive, failure) -> {
                if (failure == null) {
                    start(executor, work);
                } else {
                    fail(notStarted(failure));
                }
            });
            return;
        }
        try {
            // Not behind a further stage: one behind a failed stage asks the failure for its message.
            flow.trace
                    .running(() -> work.run(attempt))
                    .handle((value, failure) -> failure == null ? complete(value) : fail(failure));
        } catch (Throwable e) {
            fail(e);
        }
    }

    private CompletionStage<Execution<T>> returned(T value) {
        Outcome outcome = flow.encoder.encode(value);
        if (!attempt.hasLease()) {
            return CompletableFuture.completedStage(executed(value, outcome, Durability.UNPROTECTED));
        }
        if (flow.encoder.isRefused(outcome)) {
            return notExecuted().thenApply(released -> executed(value, outcome, Durability.NOT_EXECUTED));
        }
        return settle(outcome).thenApply(settling -> switch (settling) {
            case LOST -> flow.lost(attempt);
            case STORED -> executed(value, outcome, Durability.STORED);
            case NOT_YET -> executed(value, outcome, Durability.NOT_CONFIRMED);
        });
    }

    private Execution<T> executed(T value, Outcome outcome, Durability durability) {
        return new Execution.Executed<>(value, outcome, attempt.number(), durability);
    }

    private CompletionStage<Execution<T>> threw(Throwable failure) {
        if (!attempt.hasLease()) {
            return CompletableFuture.failedStage(failure);
        }
        return switch (FailureMeaning.of(failure, attempt, flow.encoder)) {
            case LEASE_LOST -> {
                engine.attempts.end(attempt);
                yield CompletableFuture.completedStage(flow.lost(attempt));
            }
            case NOT_EXECUTED -> {
                boolean isKnown = knowsThatNothingHappened();
                yield notExecuted()
                        .thenCompose(released -> CompletableFuture.failedStage(isKnown ? failure : unknown(failure)));
            }
            case CANNOT_TELL -> giveUp(failure).thenCompose(given -> CompletableFuture.failedStage(unknown(failure)));
            case OUTCOME ->
                settle(flow.encoder.encodeFailure(failure))
                        .thenCompose(settling -> settling == Settling.LOST
                                ? CompletableFuture.completedStage(flow.lost(attempt))
                                : CompletableFuture.failedStage(failure));
        };
    }

    /**
     * A failure that says "not executed" to the caller says too much if the key is not released: an operation inside this
     * one was not executed, or an earlier attempt or a finished step may have had effects.
     */
    private Throwable unknown(Throwable failure) {
        return flow.encoder.meansNotExecuted(failure)
                ? new OutcomeUnknownException(
                        "operation " + flow.policy.operation() + " failed, and may have had effects before", failure)
                : failure;
    }

    /**
     * Only the first attempt can say that nothing happened: a later one does not know what the previous one did, unless
     * that was rolled back. Nor can one with a finished step.
     */
    private boolean knowsThatNothingHappened() {
        return (attempt.number() == 1 || flow.policy.mode() != Mode.EXTERNAL) && !attempt.hasSteps();
    }

    private CompletionStage<Boolean> notExecuted() {
        return knowsThatNothingHappened()
                ? engine.attempts.notExecuted(attempt)
                : engine.attempts.leaveToLapse(attempt);
    }

    /** Ends an attempt that cannot tell what it did, as if its owner had died. */
    private CompletionStage<Boolean> giveUp(Throwable why) {
        if (flow.policy.recovery() != Recovery.HOLD) {
            return engine.attempts.leaveToLapse(attempt);
        }
        attempt.markEnding();
        return engine.store.abandon(attempt.lease(), cause(why)).handle((abandoned, failure) -> {
            engine.attempts.end(attempt);
            flow.tell(
                    failure == null
                            ? new SemelEvent.Abandoned(attempt.subject(), null)
                            : Attempts.settleFailed(attempt, failure));
            return failure == null;
        });
    }

    /**
     * The cause to store: the message of our own exception, but only the class of others, whose messages may contain
     * anything.
     */
    private static String cause(Throwable why) {
        String message = why instanceof OutcomeUnknownException ? why.getMessage() : null;
        return message == null ? why.getClass().getSimpleName() : message;
    }

    /** Stores the outcome. The caller waits for a while; after that it is tried in the background. */
    private CompletionStage<Settling> settle(Outcome outcome) {
        attempt.markEnding();
        long sentAt = System.nanoTime();
        CompletableFuture<Settling> settled = engine.store
                .settle(attempt.lease(), outcome, flow.policy.retentionOf(outcome), engine.settings.settleGiveUp())
                .handle((stored, failure) -> {
                    engine.attempts.end(attempt);
                    if (failure != null) {
                        flow.tell(Attempts.settleFailed(attempt, failure));
                        return Settling.NOT_YET;
                    }
                    if (!stored) {
                        flow.tellFencedOff(attempt, "settle");
                        return Settling.LOST;
                    }
                    flow.tellSettled(attempt, outcome, sentAt);
                    return Settling.STORED;
                });
        return engine.deadlines.within(
                engine.settings.settlePatience(), settled, answer -> answer.complete(Settling.NOT_YET));
    }

    private enum Settling {
        STORED,
        NOT_YET,
        LOST
    }
}
