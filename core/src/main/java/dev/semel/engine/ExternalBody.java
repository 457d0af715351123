package dev.semel.engine;

import dev.semel.Execution;
import dev.semel.Execution.Durability;
import dev.semel.ExternalOperation;
import dev.semel.Outcome;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Recovery;
import dev.semel.util.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs an operation whose effects are outside the store's database, then settles or releases its key. */
record ExternalBody<T>(ExternalOperation.AsyncWork<T> work) implements ClaimFirstFlow.Body<T> {

    @Override
    public CompletionStage<Execution<T>> run(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return start(flow, attempt)
                .handle((value, failure) -> flow.ending(
                        attempt,
                        () -> failure == null
                                ? returned(flow, attempt, value)
                                : threw(flow, attempt, Failures.unwrap(failure))))
                .thenCompose(execution -> execution);
    }

    @Override
    public CompletionStage<Execution<T>> runUnprotected(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return start(flow, attempt)
                .thenApply(value -> new Execution.Executed<>(
                        value, flow.encoder.encode(value), attempt.number(), Durability.UNPROTECTED));
    }

    private CompletableFuture<T> start(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return flow.start(attempt, () -> flow.trace.running(() -> work.run(attempt)));
    }

    private CompletionStage<Execution<T>> returned(ClaimFirstFlow<T> flow, RunningAttempt attempt, T value) {
        Outcome outcome = flow.encoder.encode(value);
        if (flow.encoder.isRefused(outcome)) {
            return notExecuted(flow, attempt)
                    .thenApply(released ->
                            new Execution.Executed<>(value, outcome, attempt.number(), Durability.NOT_EXECUTED));
        }
        return settle(flow, attempt, outcome).thenApply(settling -> switch (settling) {
            case LOST -> flow.lost(attempt);
            case STORED -> new Execution.Executed<>(value, outcome, attempt.number(), Durability.STORED);
            case NOT_YET -> new Execution.Executed<>(value, outcome, attempt.number(), Durability.NOT_CONFIRMED);
        });
    }

    private CompletionStage<Execution<T>> threw(ClaimFirstFlow<T> flow, RunningAttempt attempt, Throwable failure) {
        return switch (FailureMeaning.of(failure, attempt, flow.encoder)) {
            case LEASE_LOST -> {
                flow.engine.end(attempt);
                yield CompletableFuture.completedStage(flow.lost(attempt));
            }
            case NOT_EXECUTED ->
                notExecuted(flow, attempt).thenCompose(released -> CompletableFuture.failedStage(failure));
            case CANNOT_TELL -> giveUp(flow, attempt).thenCompose(given -> CompletableFuture.failedStage(failure));
            case OUTCOME ->
                settle(flow, attempt, flow.encoder.encodeFailure(failure))
                        .thenCompose(settling -> settling == Settling.LOST
                                ? CompletableFuture.completedStage(flow.lost(attempt))
                                : CompletableFuture.failedStage(failure));
        };
    }

    /** Only the first attempt can say that nothing happened: a later one does not know what the one before it did. */
    private CompletionStage<Boolean> notExecuted(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return attempt.number() == 1 ? flow.engine.notExecuted(attempt) : flow.engine.leaveToLapse(attempt);
    }

    /** Ends an attempt that cannot tell what it did, as if its owner had died. */
    private CompletionStage<Void> giveUp(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        Engine engine = flow.engine;
        attempt.markEnding();
        if (flow.policy.recovery() != Recovery.HOLD) {
            return engine.leaveToLapse(attempt).thenApply(left -> null);
        }
        return engine.abandon(attempt.lease()).handle((abandoned, failure) -> {
            engine.end(attempt);
            flow.tell(
                    failure == null
                            ? new SemelEvent.Abandoned(attempt.subject(), null)
                            : engine.settleFailed(attempt, failure));
            return null;
        });
    }

    /** Stores the outcome. The caller waits for a while; after that it is tried in the background. */
    private CompletionStage<Settling> settle(ClaimFirstFlow<T> flow, RunningAttempt attempt, Outcome outcome) {
        Engine engine = flow.engine;
        attempt.markEnding();
        long sentAt = System.nanoTime();
        return engine.withinPatience(
                engine.settle(
                                attempt.lease(),
                                outcome,
                                flow.policy.retentionOf(outcome),
                                engine.settings.settleGiveUp())
                        .handle((stored, failure) -> {
                            engine.end(attempt);
                            if (failure != null) {
                                flow.tell(engine.settleFailed(attempt, failure));
                                return Settling.NOT_YET;
                            }
                            if (!stored) {
                                flow.tellFencedOff(attempt, "settle");
                                return Settling.LOST;
                            }
                            flow.tellSettled(attempt, outcome, sentAt);
                            return Settling.STORED;
                        }),
                Settling.NOT_YET);
    }

    private enum Settling {
        STORED,
        NOT_YET,
        LOST
    }
}
