package dev.semel.engine;

import dev.semel.Execution;
import dev.semel.LeaseLostException;
import dev.semel.lease.RunningAttempt;
import dev.semel.util.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs an operation in a transaction that also carries the settle of a key that was claimed before. */
record TransactionalBody<C, T>(SettlingTransaction<C, T> work) implements ClaimFirstFlow.Body<T> {

    @Override
    public CompletionStage<Execution<T>> run(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return flow.start(attempt, () -> transact(flow, attempt))
                .exceptionallyCompose(failure -> notStarted(flow, attempt, Failures.unwrap(failure)))
                .whenComplete((execution, failure) -> flow.engine.end(attempt));
    }

    private CompletionStage<Execution<T>> notStarted(
            ClaimFirstFlow<T> flow, RunningAttempt attempt, Throwable failure) {
        if (failure instanceof LeaseLostException && attempt.isLeaseLost()) {
            return CompletableFuture.completedStage(flow.lost(attempt));
        }
        return failure instanceof NotStartedException refused && refused.isOf(attempt)
                ? flow.engine.notExecuted(attempt).thenCompose(released -> CompletableFuture.failedStage(failure))
                : CompletableFuture.failedStage(failure);
    }

    private CompletionStage<Execution<T>> transact(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        SettlingTransaction.Progress<T> progress = new SettlingTransaction.Progress<>();
        try {
            Execution.Executed<T> executed =
                    work.inTransaction(flow, transaction -> work.runAndSettle(flow, transaction, attempt, progress));
            flow.tellSettled(attempt, executed.outcome(), System.nanoTime());
            return CompletableFuture.completedStage(executed);
        } catch (Exception | Error e) {
            return work.afterFailure(flow, attempt, progress, e);
        }
    }

    @Override
    public CompletionStage<Execution<T>> runUnprotected(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        throw new IllegalStateException("a transactional operation cannot run unprotected; its policy forbids it");
    }
}
