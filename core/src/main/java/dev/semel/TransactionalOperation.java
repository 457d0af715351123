package dev.semel;

import dev.semel.engine.CallRunner;
import dev.semel.engine.OutcomeEncoder;
import dev.semel.policy.Mode;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.TransactionJoining;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation that runs in a transaction of the store's database, bound to its policy, its codec and its transaction
 * runner. Create it once with {@link Semel#operation(TransactionalPolicy, OutcomeCodec, TransactionRunner)} and run it
 * from any thread.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public final class TransactionalOperation<C, T> {

    private final CallRunner runner;
    private final OutcomeEncoder<T> encoder;
    private final TransactionJoining<C> joining;
    private final TransactionJoining.@Nullable Shared<C> shared;
    private final TransactionRunner<C> transactions;

    TransactionalOperation(
            CallRunner runner,
            TransactionalPolicy policy,
            OutcomeCodec<T> codec,
            TransactionJoining<C> joining,
            TransactionJoining.@Nullable Shared<C> shared,
            TransactionRunner<C> transactions) {
        this.runner = runner;
        this.encoder = new OutcomeEncoder<>(policy, codec);
        this.joining = joining;
        this.shared = transactions.allowsSavepoints() && policy.recovery() == Recovery.RE_EXECUTE ? shared : null;
        this.transactions = transactions;
    }

    /**
     * Runs the work on the calling thread under the key, or returns why not. The transaction includes the settle, and
     * in the mode {@link Mode#SINGLE_TRANSACTION} also the claim.
     */
    public <E extends Exception> Execution<T> run(Key key, Fingerprint fingerprint, TransactionalWork<C, T, E> work)
            throws E {
        return run(Call.of(key, fingerprint), work);
    }

    /** Like {@link #run(Key, Fingerprint, TransactionalWork)}, with the settings of this call. */
    public <E extends Exception> Execution<T> run(Call call, TransactionalWork<C, T, E> work) throws E {
        return runner.runInTransaction(encoder, call, joining, transactions, work);
    }

    /**
     * Whether {@link #runTogether} can be used. It requires a store and transactions with savepoints, and the recovery
     * {@code RE_EXECUTE}: if the process dies, nothing remains of a shared transaction for a person or a reconciler to
     * check.
     */
    public boolean canRunTogether() {
        return shared != null;
    }

    /**
     * Runs the work of several calls on the calling thread, in their order and in one transaction that includes the
     * claims and settles of all of them, in any mode.
     *
     * <p>Returns the results of the calls up to the first one without success, whether it failed now or on an earlier
     * attempt. That call and all later ones have left no trace: run them one by one. So no call fails, or is delayed,
     * because of another.
     *
     * @param calls calls with keys that are all different
     * @param goesOn is called before each call; if it returns false, the work so far is committed
     */
    public List<Execution<T>> runTogether(List<Call> calls, BooleanSupplier goesOn, TransactionalWork<C, T, ?> work) {
        if (shared == null) {
            throw new IllegalStateException(
                    "these calls cannot share a transaction: this requires the recovery RE_EXECUTE, and a store"
                            + " and transactions with savepoints, for example PostgreSQL and JdbcTransactions");
        }
        return runner.runTogether(encoder, calls, shared, transactions, goesOn, work);
    }

    /** The work that must happen once, inside a transaction that also includes the settle. */
    @FunctionalInterface
    public interface TransactionalWork<C, T, E extends Exception> {

        T run(Attempt attempt, C transaction) throws E;
    }
}
