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
import dev.semel.spi.ForwardedCall;
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
import java.time.Duration;
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
    final Duration openWithin;

    private SealedStore(KeyStore store, Seal seal, Duration openWithin) {
        this.store = store;
        this.records = new SealedRecords(seal);
        this.openWithin = openWithin;
    }

    static KeyStore around(KeyStore store, Seal seal) {
        return around(store, seal, Sealing.OPEN_WITHIN);
    }

    static KeyStore around(KeyStore store, Seal seal, Duration openWithin) {
        if (!(store instanceof StepRecording
                && store instanceof Inspecting
                && store instanceof Purging
                && store instanceof Erasing)) {
            throw new IllegalArgumentException("only a store that records steps, can be inspected, purges itself and"
                    + " erases can be sealed, " + store.getClass().getName() + " does not");
        }
        return store instanceof TransactionJoining<?> joining
                ? new Transactional<>(store, joining, seal, openWithin)
                : new SealedStore(store, seal, openWithin);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        long asked = System.nanoTime();
        return ForwardedCall.compose(
                store.claim(request.withoutTakeOver()),
                claim -> request.takeOver() && claim instanceof Claim.Unknown
                        ? takeOver(request, asked)
                        : open(request, claim, asked));
    }

    /** Takes a lapsed key over only where its steps can be opened: who could not go on with it would only wear it out. */
    private CompletionStage<Claim> takeOver(ClaimRequest request, long asked) {
        KeyDigest digest = request.key().digest();
        CompletionStage<?> checked = ForwardedCall.compose(
                ((Inspecting) store).find(digest),
                found -> Opening.of(
                        digest, records.open(digest, found.map(KeyRecord::steps).orElse(Map.of())), left(asked)));
        return ForwardedCall.compose(
                checked, opened -> ForwardedCall.compose(store.claim(request), claim -> open(request, claim, asked)));
    }

    private CompletionStage<Claim> open(ClaimRequest request, Claim claim, long asked) {
        KeyDigest digest = request.key().digest();
        return Opening.of(digest, records.open(digest, claim), left(asked));
    }

    /** What is left for opening: the engine takes a claim that lasts longer than its patience for a store that is down. */
    private Duration left(long asked) {
        return openWithin.minusNanos(System.nanoTime() - asked);
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
        return ForwardedCall.compose(
                ((Inspecting) store).find(digest),
                found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(found)
                        : Opening.of(digest, records.open(found.get()).thenApply(Optional::of)));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return ForwardedCall.compose(((Inspecting) store).page(query), records::open);
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

        Transactional(KeyStore store, TransactionJoining<C> joining, Seal seal, Duration openWithin) {
            super(store, seal, openWithin);
            this.joining = joining;
        }

        @Override
        public Class<C> transactionType() {
            return joining.transactionType();
        }

        @Override
        public Claim claim(C transaction, ClaimRequest request) {
            Claim claim = joining.claim(transaction, request);
            KeyDigest digest = request.key().digest();
            Opening<Claim> opening = Opening.of(digest, records.open(digest, claim), openWithin);
            try {
                return opening.join();
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
