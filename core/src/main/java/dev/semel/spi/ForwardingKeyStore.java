package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A store that passes every call on to another one; the base class of stores that wrap another store.
 *
 * <p>It has exactly the capabilities of the store below. A subclass implements the interfaces of the capabilities that
 * it changes; for the others, callers get the store below.
 */
public abstract class ForwardingKeyStore implements KeyStore {

    private final KeyStore store;

    protected ForwardingKeyStore(KeyStore store) {
        this.store = store;
    }

    /** The store below. */
    protected final KeyStore store() {
        return store;
    }

    /** A capability of the store below, for a method that is only called if the store has it. */
    protected final <T> T require(Class<T> type) {
        return KeyStore.capability(store, type)
                .orElseThrow(() -> new UnsupportedOperationException(store + " is not " + type.getSimpleName()));
    }

    /** The result of {@link KeyStore#capability} for this store. */
    protected <T> Optional<T> capability(Class<T> type) {
        Optional<T> below = KeyStore.capability(store, type);
        return below.isPresent() && type.isInstance(this) ? Optional.of(type.cast(this)) : below;
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return store.claim(request);
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return store.settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return store.renew(renewals);
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return store.release(lease);
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return store.abandon(lease);
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + store + "]";
    }
}
