package dev.semel.sealing;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.StoreException;
import dev.semel.spi.Batching;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Erasing;
import dev.semel.spi.ErasureNote;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.TransactionJoining;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A store that seals what it gives to another one, and opens what it gets. */
class SealedStore implements KeyStore, StepRecording, Inspecting, Purging, Erasing, Batching {

    private final KeyStore store;
    final SealedRecords records;

    private SealedStore(KeyStore store, Seal seal) {
        this.store = store;
        this.records = new SealedRecords(seal);
    }

    static KeyStore around(KeyStore store, Seal seal) {
        if (!(store instanceof StepRecording
                && store instanceof Inspecting
                && store instanceof Purging
                && store instanceof Erasing)) {
            throw new IllegalArgumentException("only a store that records steps, can be inspected, purges itself and"
                    + " erases can be sealed, " + store.getClass().getName() + " does not");
        }
        return store instanceof TransactionJoining<?> joining
                ? new Transactional<>(store, joining, seal)
                : new SealedStore(store, seal);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return store.claim(request)
                .thenCompose(claim -> records.open(request.key().digest(), claim));
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return store.settle(lease, records.seal(lease.digest(), outcome), retention);
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
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return ((StepRecording) store).recordStep(lease, name, records.sealStep(lease.digest(), name, result));
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return ((Inspecting) store)
                .find(digest)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(found)
                        : records.open(found.get()).thenApply(Optional::of));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return ((Inspecting) store).page(query).thenCompose(records::open);
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return ((Inspecting) store).statistics();
    }

    @Override
    public CompletionStage<Instant> now() {
        return ((Inspecting) store).now();
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        Resolution sealed = resolution instanceof Resolution.Settle settle
                ? new Resolution.Settle(records.seal(digest, settle.outcome()))
                : resolution;
        return ((Inspecting) store).resolve(digest, token, sealed, reason);
    }

    @Override
    public CompletionStage<Boolean> erase(KeyDigest digest, long token) {
        return ((Erasing) store).erase(digest, token);
    }

    @Override
    public CompletionStage<Boolean> noteErasure(ErasureNote note) {
        return ((Erasing) store).noteErasure(note);
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return ((Purging) store).purge(limit);
    }

    @Override
    public Map<String, Batches> batches() {
        return store instanceof Batching batching ? batching.batches() : Map.of();
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return "sealed " + store;
    }

    /** The same around a store that can join transactions. */
    private static final class Transactional<C> extends SealedStore implements TransactionJoining<C> {

        private final TransactionJoining<C> joining;

        Transactional(KeyStore store, TransactionJoining<C> joining, Seal seal) {
            super(store, seal);
            this.joining = joining;
        }

        @Override
        public Class<C> transactionType() {
            return joining.transactionType();
        }

        @Override
        public Claim claim(C transaction, ClaimRequest request) {
            Claim claim = joining.claim(transaction, request);
            try {
                return records.open(request.key().digest(), claim)
                        .toCompletableFuture()
                        .join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof StoreException failure ? failure : e;
            }
        }

        @Override
        public boolean settle(C transaction, Lease lease, Outcome outcome, Retention retention) {
            return joining.settle(transaction, lease, records.seal(lease.digest(), outcome), retention);
        }
    }
}
