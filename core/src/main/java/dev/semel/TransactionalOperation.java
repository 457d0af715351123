package dev.semel;

import dev.semel.engine.CallRunner;
import dev.semel.engine.OutcomeEncoder;
import dev.semel.policy.Mode;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.TransactionJoining;

/**
 * An operation that runs in a transaction of the store's database, bound to its policy, its codec and whatever begins the
 * transaction. Make it once with {@link Semel#operation(TransactionalPolicy, OutcomeCodec, TransactionRunner)} and run it
 * from any thread.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public final class TransactionalOperation<C, T> {

    private final CallRunner runner;
    private final OutcomeEncoder<T> encoder;
    private final TransactionJoining<C> joining;
    private final TransactionRunner<C> transactions;

    TransactionalOperation(
            CallRunner runner,
            TransactionalPolicy policy,
            OutcomeCodec<T> codec,
            TransactionJoining<C> joining,
            TransactionRunner<C> transactions) {
        this.runner = runner;
        this.encoder = new OutcomeEncoder<>(policy, codec);
        this.joining = joining;
        this.transactions = transactions;
    }

    /**
     * Runs the work on the calling thread under the key, or says why not. The transaction carries the settle, and in the
     * mode {@link Mode#SINGLE_TRANSACTION} also the claim.
     */
    public <E extends Exception> Execution<T> run(Key key, Fingerprint fingerprint, TransactionalWork<C, T, E> work)
            throws E {
        return run(Call.of(key, fingerprint), work);
    }

    /** Like {@link #run(Key, Fingerprint, TransactionalWork)}, with what this call adds. */
    public <E extends Exception> Execution<T> run(Call call, TransactionalWork<C, T, E> work) throws E {
        return runner.runInTransaction(encoder, call, joining, transactions, work);
    }

    /** The work that must happen once, inside a transaction that also carries the settle. */
    @FunctionalInterface
    public interface TransactionalWork<C, T, E extends Exception> {

        T run(Attempt attempt, C transaction) throws E;
    }
}
