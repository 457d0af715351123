package dev.semel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs an operation in a transaction that also carries the settle of a key that was claimed before. */
record TransactionalBody<C, T>(TransactionWork<C, T> work) implements ClaimFirstFlow.Body<T> {

    @Override
    public CompletionStage<Execution<T>> run(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        return CompletableFuture.supplyAsync(() -> transact(flow, attempt), flow.executor)
                .thenCompose(execution -> execution)
                .whenComplete((execution, failure) -> flow.engine.end(attempt));
    }

    private CompletionStage<Execution<T>> transact(ClaimFirstFlow<T> flow, RunningAttempt attempt) {
        TransactionWork.Progress<T> progress = new TransactionWork.Progress<>();
        try {
            Execution.Executed<T> executed = work.transactions()
                    .inTransaction(transaction -> work.runAndSettle(flow, transaction, attempt, progress));
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
