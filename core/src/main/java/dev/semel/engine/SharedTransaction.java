package dev.semel.engine;

import dev.semel.Execution;
import dev.semel.Execution.Durability;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import dev.semel.util.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several calls whose claims, business writes and settles are one commit, with a savepoint before the work of each.
 *
 * <p>A call ends here only if it succeeds. Otherwise it leaves nothing behind, so that the call can be made again
 * alone: the result of a call never depends on the other calls in the transaction. That also holds when the answer of
 * the commit is lost: the next claim finds the keys settled, or free.
 */
final class SharedTransaction<C, T> {

    private static final Logger LOG = LoggerFactory.getLogger(SharedTransaction.class);

    private final TransactionJoining.Shared<C> store;
    private final TransactionRunner<C> transactions;
    private final BooleanSupplier goesOn;
    private final TransactionalWork<C, T, ?> work;

    SharedTransaction(
            TransactionJoining.Shared<C> store,
            TransactionRunner<C> transactions,
            BooleanSupplier goesOn,
            TransactionalWork<C, T, ?> work) {
        this.store = store;
        this.transactions = transactions;
        this.goesOn = goesOn;
        this.work = work;
    }

    /** A call that has succeeded, unless the commit fails: under this attempt, or before. */
    private record Success<T>(
            Flow<T> flow,
            Claim claim,
            long sentAt,
            @Nullable RunningAttempt attempt,
            @Nullable Execution<T> executed) {

        TransactionJoining.Settlement settlement() {
            Outcome outcome = outcome();
            return new TransactionJoining.Settlement(
                    ((Claim.Acquired) claim).lease(), outcome, flow.policy.retentionOf(outcome));
        }

        private Outcome outcome() {
            return ((Execution.Executed<T>) Objects.requireNonNull(executed)).outcome();
        }

        /** Ends the call, now that the transaction is committed. */
        Execution<T> end() {
            if (attempt == null || executed == null) {
                return (Execution<T>) flow.refused(claim);
            }
            flow.tell(new SemelEvent.Claimed(attempt.subject(), Durations.since(sentAt)));
            flow.tellSettled(attempt, outcome(), System.nanoTime());
            return flow.answer(executed);
        }
    }

    List<Execution<T>> run(List<Flow<T>> flows) {
        List<Success<T>> successes = List.of();
        try {
            successes = transactions.inTransaction(transaction -> inside(transaction, flows));
        } catch (Exception | Error e) {
            LOG.debug("{} calls could not share a transaction, and are made one by one", flows.size(), e);
        }
        flows.subList(successes.size(), flows.size()).forEach(SharedTransaction::leave);
        return successes.stream().map(Success::end).toList();
    }

    /** The call is made again alone. */
    private static void leave(Flow<?> flow) {
        flow.ended(null, new NotExecutedException("the call was not executed in a transaction with others", null));
    }

    private List<Success<T>> inside(C transaction, List<Flow<T>> flows) {
        long sentAt = System.nanoTime();
        List<ClaimRequest> requests =
                flows.stream().map(flow -> flow.request.withoutTakeOver()).toList();
        List<Claim> claims = store.claimAll(transaction, requests);
        List<Success<T>> successes = new ArrayList<>();
        for (int i = 0; i < flows.size() && goesOn.getAsBoolean(); i++) {
            Success<T> success = succeed(transaction, flows.get(i), claims.get(i), sentAt);
            if (success == null) {
                break;
            }
            successes.add(success);
        }
        List<TransactionJoining.Settlement> settlements = successes.stream()
                .filter(success -> success.executed() != null)
                .map(Success::settlement)
                .toList();
        if (!settlements.isEmpty() && !store.settleAll(transaction, settlements)) {
            throw new IllegalStateException(
                    "a key that was claimed in this transaction now belongs to another attempt");
        }
        List<Lease> unused = claims.stream()
                .skip(successes.size())
                .filter(Claim.Acquired.class::isInstance)
                .map(claim -> ((Claim.Acquired) claim).lease())
                .toList();
        if (!unused.isEmpty()) {
            store.releaseAll(transaction, unused);
        }
        return successes;
    }

    /** {@code null} if the call has to be made alone. */
    private @Nullable Success<T> succeed(C transaction, Flow<T> flow, Claim claim, long sentAt) {
        if (claim instanceof Claim.Settled settled) {
            return settled.outcome().isSuccess() ? new Success<>(flow, claim, sentAt, null, null) : null;
        }
        if (!(claim instanceof Claim.Acquired acquired)) {
            return null;
        }
        RunningAttempt attempt = RunningAttempt.inTransaction(
                flow.call.key(), flow.policy.operation(), acquired, sentAt, flow.policy.lease());
        store.savepoint(transaction);
        try {
            T value = flow.trace.running(() -> work.run(attempt, transaction));
            Outcome outcome = flow.encoder.encode(value);
            if (outcome.isSuccess() && !flow.encoder.isRefused(outcome)) {
                return new Success<>(
                        flow,
                        claim,
                        sentAt,
                        attempt,
                        new Execution.Executed<>(value, outcome, attempt.number(), Durability.STORED));
            }
        } catch (Exception | Error e) {
            LOG.debug("{} failed in a transaction with others, and is made again alone", flow.digest(), e);
        }
        store.rollBackToSavepoint(transaction);
        return null;
    }
}
