package dev.semel.engine;

import dev.semel.Execution;
import dev.semel.Execution.Durability;
import dev.semel.LeaseLostException;
import dev.semel.Outcome;
import dev.semel.SemelException;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.lease.RunningAttempt;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Failures;
import dev.semel.util.Text;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs an operation and its settle in one transaction, and finds out what happened to it when the commit fails. */
final class SettlingTransaction<C, T> {

    /** How often a transaction is asked for that may still be committing. */
    private static final int LOOKS = 5;

    private final TransactionJoining<C> joining;
    private final TransactionRunner<C> transactions;
    private final TransactionalWork<C, T, ?> work;

    SettlingTransaction(
            TransactionJoining<C> joining, TransactionRunner<C> transactions, TransactionalWork<C, T, ?> work) {
        this.joining = joining;
        this.transactions = transactions;
        this.work = work;
    }

    TransactionJoining<C> joining() {
        return joining;
    }

    boolean joinsRunning() {
        return transactions.joinsRunning();
    }

    /**
     * Runs work in a transaction. A transaction that cannot begin, for example because the pool has no free connection,
     * is not a failure of the operation, and callers must not mistake it for one.
     */
    <R> R inTransaction(Flow<T> flow, TransactionRunner.Work<C, R> inside) throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            return transactions.inTransaction(transaction -> {
                begun.set(true);
                return inside.run(transaction);
            });
        } catch (SemelException | IllegalStateException | IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            if (begun.get()) {
                throw e;
            }
            throw new StoreUnavailableException(
                    "the transaction of operation " + Text.quote(flow.policy.operation()) + " could not be begun", e);
        }
    }

    /** Runs the operation under a key that was claimed before. */
    CompletionStage<Execution<T>> run(Flow<T> flow, RunningAttempt attempt) {
        return transact(flow, attempt).whenComplete((execution, failure) -> flow.engine.attempts.end(attempt));
    }

    private CompletionStage<Execution<T>> transact(Flow<T> flow, RunningAttempt attempt) {
        Progress<T> progress = new Progress<>();
        try {
            Execution.Executed<T> executed =
                    inTransaction(flow, transaction -> runAndSettle(flow, transaction, attempt, progress));
            flow.tellSettled(attempt, executed.outcome(), System.nanoTime());
            return CompletableFuture.completedStage(executed);
        } catch (Exception | Error e) {
            return afterFailure(flow, attempt, progress, e);
        }
    }

    /** The part inside the transaction: run, and settle on condition that the lease still holds. */
    Execution.Executed<T> runAndSettle(Flow<T> flow, C transaction, RunningAttempt attempt, Progress<T> progress)
            throws Exception {
        T value = flow.trace.running(() -> work.run(attempt, transaction));
        Outcome outcome = flow.encoder.encode(value);
        if (flow.encoder.isRefused(outcome)) {
            throw new Refused(new Execution.Executed<>(value, outcome, attempt.number(), Durability.NOT_EXECUTED));
        }
        Execution.Executed<T> executed = new Execution.Executed<>(value, outcome, attempt.number(), Durability.STORED);
        progress.executed = executed;
        attempt.markEnding();
        if (!settle(flow, transaction, attempt, outcome)) {
            flow.tellFencedOff(attempt, "settle");
            throw new LeaseLostException(flow.digest(), attempt.token());
        }
        return executed;
    }

    private boolean settle(Flow<T> flow, C transaction, RunningAttempt attempt, Outcome outcome) {
        Retention retention = flow.policy.retentionOf(outcome);
        try {
            return joining.settle(transaction, attempt.lease(), outcome, retention);
        } catch (PayloadTooLargeException e) {
            return joining.settle(transaction, attempt.lease(), outcome.withoutPayload(), retention);
        }
    }

    /**
     * What happened to a transaction that ended with an exception. If it had not reached its settle it was rolled back;
     * otherwise the commit may have happened although its answer was lost, and the state of the key shows it.
     */
    CompletionStage<Execution<T>> afterFailure(
            Flow<T> flow, RunningAttempt attempt, Progress<T> progress, Throwable failure) {
        if (attempt.isLeaseLost()) {
            return CompletableFuture.completedStage(flow.lost(attempt));
        }
        if (failure instanceof Refused refused) {
            return flow.engine.attempts.notExecuted(attempt).thenApply(released -> refused.execution());
        }
        if (joining.isTransient(failure)) {
            // Found by an operation around this one, whose outcome the failure must not become.
            failure.addSuppressed(new StoreUnavailableException(
                    "the database failed during operation " + Text.quote(flow.policy.operation())
                            + ", not the operation's own work",
                    null));
        }
        Execution<T> executed = progress.executed;
        if (executed == null) {
            return flow.engine
                    .attempts
                    .notExecuted(attempt)
                    .thenCompose(released -> CompletableFuture.failedStage(failure));
        }
        return wasCommitted(flow, attempt.lease(), LOOKS)
                .exceptionally(unknown -> {
                    failure.addSuppressed(Failures.unwrap(unknown));
                    return false;
                })
                .thenCompose(committed -> committed
                        ? CompletableFuture.completedStage(executed)
                        : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<Boolean> wasCommitted(Flow<T> flow, Lease lease, int looks) {
        return flow.engine.store.claim(flow.request.withoutTakeOver()).thenCompose(claim -> {
            if (claim instanceof Claim.Settled settled) {
                return isOwn(flow, lease, settled);
            }
            if (!(claim instanceof Claim.Acquired own) || looks == 0) {
                return CompletableFuture.completedStage(false);
            }
            if (!own.steps().isEmpty()) {
                // Released, the key would forget its steps: it is left to lapse, and the next attempt goes on from
                // them.
                return CompletableFuture.completedStage(false);
            }
            // The release waits for a transaction that is still committing, and is refused if it did commit.
            return flow.engine
                    .store
                    .release(own.lease(), flow.engine.settings.claimPatience())
                    .thenCompose(released ->
                            released ? CompletableFuture.completedStage(false) : wasCommitted(flow, lease, looks - 1));
        });
    }

    /** A settle that is repeated: several servers that accept writes can give two attempts the same token. */
    private CompletionStage<Boolean> isOwn(Flow<T> flow, Lease lease, Claim.Settled settled) {
        return settled.token() == lease.token()
                ? flow.engine.store.settle(
                        lease,
                        settled.outcome(),
                        flow.policy.retentionOf(settled.outcome()),
                        flow.engine.settings.claimPatience())
                : CompletableFuture.completedStage(false);
    }

    /** How far a transaction has come: it has an execution from the moment that it settles. */
    static final class Progress<T> {

        private @Nullable Execution<T> executed;
    }

    /** Carries the value of an operation that was refused before it executed out of a transaction that is rolled back. */
    private static final class Refused extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Execution<?> execution;

        private Refused(Execution<?> execution) {
            super("refused before execution", null, false, false);
            this.execution = execution;
        }

        @SuppressWarnings("unchecked")
        private <T> Execution<T> execution() {
            return (Execution<T>) execution;
        }
    }
}
