package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import java.util.List;

/**
 * A store whose writes can be part of the application's own transaction.
 *
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
public interface TransactionJoining<C> {

    /** The class of transaction handles that this store can join. */
    Class<C> transactionType();

    /**
     * Claims within the transaction. If another transaction holds the key, the answer is in flight, without a wait.
     * Never leaves the transaction in a state in which it can no longer commit.
     */
    Claim claim(C transaction, ClaimRequest request);

    /**
     * Settles within the transaction. {@code false} means that the lease is lost and the transaction must be rolled back.
     * After {@code true} no one can take the lease before the transaction ends. A payload that is too large to keep is
     * refused with {@link dev.semel.store.PayloadTooLargeException} before anything is written, so that the same transaction can
     * settle without it.
     */
    boolean settle(C transaction, Lease lease, Outcome outcome, Retention retention);

    /**
     * Whether a transaction failed for a reason that has nothing to do with the work in it, such as a broken connection or a
     * deadlock: the same work may succeed in another one.
     */
    boolean isTransient(Throwable failure);

    /**
     * A store that can put the claims and the settles of many keys into one transaction, with a savepoint before the work
     * of each.
     */
    interface Shared<C> extends TransactionJoining<C> {

        /**
         * Claims distinct keys within the transaction, and returns answers in the order of the requests. Like a single
         * claim, it does not wait for other transactions. If another transaction holds one of the keys, none is
         * acquired. The database ends a transaction that is silent afterwards for longer than the lease, so that a
         * process that has stalled does not hold the keys forever.
         */
        List<Claim> claimAll(C transaction, List<ClaimRequest> requests);

        /** Settles within the transaction. {@code false} means that a lease is lost and the transaction must be rolled back. */
        boolean settleAll(C transaction, List<Settlement> settlements);

        /** Releases keys within the transaction that claimed them. */
        void releaseAll(C transaction, List<Lease> leases);

        /** Sets the savepoint for {@link #rollBackToSavepoint}, replacing the previous one. */
        void savepoint(C transaction);

        /** Undoes everything since the savepoint. The transaction can continue, even if a statement failed in it. */
        void rollBackToSavepoint(C transaction);
    }

    /** The outcome of one of several keys that are settled together. */
    record Settlement(Lease lease, Outcome outcome, Retention retention) {}
}
