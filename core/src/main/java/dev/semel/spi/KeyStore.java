package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A place that keeps keys. Every method is one atomic and durable step: when its stage completes normally the effect
 * survives a crash, and when it completes exceptionally the effect may or may not have happened and the same call can
 * be sent again. A caller that no longer waits cancels the future; a store that has not sent the call yet then withdraws
 * it and completes with a {@link dev.semel.store.StoreUnavailableException} that is {@code notSent} (see {@link QueuedCall}).
 *
 * <p>The store's own clock decides leases and expiry, never a time that an application sends. A stage may complete on a
 * thread of the store: callers hop to an executor of their own before they do work. A failure is always a {@link
 * dev.semel.store.StoreException}. Optional features are in the capability interfaces of this package: {@link Purging},
 * {@link Inspecting}, {@link StepRecording}, {@link TransactionJoining}, {@link Importing}, {@link Erasing}, {@link
 * DecisionLog}, {@link Batching}. A store implements the interfaces of its capabilities. Look one up with {@link
 * #capability} and not with {@code instanceof}, because a store that wraps another one has the capabilities of the
 * wrapped store.
 */
public interface KeyStore extends AutoCloseable {

    /**
     * Claims the key for one attempt, or returns why it cannot.
     *
     * <p>Of any number of concurrent claims exactly one acquires. The fingerprint is compared before anything else
     * about a live key is revealed. A request whose nonce the key already carries finds its own claim again. The token of an
     * acquired lease is larger than every token that this key ever had, also across expiry, release and purge.
     */
    CompletionStage<Claim> claim(ClaimRequest request);

    /**
     * Stores the outcome if the key still carries this lease and has no outcome yet; {@code false} means that the lease
     * is lost. Repeated for the same lease and outcome it is {@code true} again. An attempt whose lease has lapsed, and
     * whose key was at most marked unknown since, still settles: its owner knows the truth and no one else acted.
     */
    CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention);

    /**
     * Extends leases from now and returns those that are still held; every other one is lost. If one of them could not
     * be read, the call fails although others may have been extended; the engine then renews each separately.
     */
    CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals);

    /**
     * Releases the pending key because the operation was not executed: the next claim starts from scratch. {@code
     * false} means
     * that the lease is lost; so does a repetition, when the key is gone already.
     */
    CompletionStage<Boolean> release(Lease lease);

    /** Marks the pending key as unknown, because its outcome is unknown; {@code false} if the lease is lost. */
    CompletionStage<Boolean> abandon(Lease lease);

    /** Completes running calls and closes the resources that the store itself has opened. */
    @Override
    void close();

    /** A capability of a store; empty if the store does not have it. */
    static <T> Optional<T> capability(KeyStore store, Class<T> type) {
        return store instanceof ForwardingKeyStore forwarding
                ? forwarding.capability(type)
                : type.isInstance(store) ? Optional.of(type.cast(store)) : Optional.empty();
    }
}
