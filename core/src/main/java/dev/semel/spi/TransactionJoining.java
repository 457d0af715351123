package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.policy.Retention;

/**
 * A store whose writes can be part of the application's own transaction.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public interface TransactionJoining<C> {

    /** The class of transaction handles that this store can join. */
    Class<C> transactionType();

    /**
     * Claims within the transaction, without waiting for another transaction that holds the key: that is answered as in
     * flight. Never leaves the transaction in a state in which it can no longer commit.
     */
    Claim claim(C transaction, ClaimRequest request);

    /**
     * Settles within the transaction. {@code false} means that the lease is lost and the transaction must be rolled back.
     * After {@code true} nobody can take the lease before the transaction ends. A payload that is too large to keep is
     * refused with {@link dev.semel.store.PayloadTooLargeException} before anything is written, so that the same transaction can
     * settle without it.
     */
    boolean settle(C transaction, Lease lease, Outcome outcome, Retention retention);

    /**
     * Whether a transaction failed for a reason that has nothing to do with the work in it, such as a broken connection or a
     * deadlock: the same work may succeed in another one.
     */
    boolean isTransient(Throwable failure);
}
