package dev.semel.sealing;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that seals data before it passes it to another store, and opens what comes back.
 *
 * @param <C> the transactions of the store below, if it joins any
 */
final class SealedStore<C> extends ForwardingKeyStore
        implements StepRecording, Inspecting, DecisionLog, Importing, TransactionJoining.Shared<C> {

    private final SealedRecords records;
    private final Duration openWithin;

    private SealedStore(KeyStore store, Seal seal, Duration openWithin) {
        super(store);
        this.records = new SealedRecords(seal);
        this.openWithin = openWithin;
    }

    static KeyStore around(KeyStore store, Seal seal) {
        return around(store, seal, Sealing.OPEN_WITHIN);
    }

    static KeyStore around(KeyStore store, Seal seal, Duration openWithin) {
        return new SealedStore<>(store, seal, openWithin);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        long asked = System.nanoTime();
        Optional<Inspecting> steps =
                request.takeOver() ? KeyStore.capability(store(), Inspecting.class) : Optional.empty();
        return steps.isEmpty()
                ? ForwardedCall.compose(store().claim(request), claim -> open(request, claim, asked))
                : ForwardedCall.compose(
                        store().claim(request.withoutTakeOver()),
                        claim -> claim instanceof Claim.Unknown
                                ? takeOver(steps.get(), request, asked)
                                : open(request, claim, asked));
    }

    /**
     * Takes a lapsed key over only if its steps can be opened, because a node that cannot open them could not continue.
     */
    private CompletionStage<Claim> takeOver(Inspecting inspecting, ClaimRequest request, long asked) {
        KeyDigest digest = request.key().digest();
        CompletionStage<?> checked = ForwardedCall.compose(
                inspecting.find(digest),
                found -> Opening.of(
                        digest, records.open(digest, found.map(KeyRecord::steps).orElse(Map.of())), left(asked)));
        return ForwardedCall.compose(
                checked, opened -> ForwardedCall.compose(store().claim(request), claim -> open(request, claim, asked)));
    }

    private CompletionStage<Claim> open(ClaimRequest request, Claim claim, long asked) {
        KeyDigest digest = request.key().digest();
        return Opening.of(digest, records.open(digest, claim), left(asked));
    }

    /**
     * The time left for opening: if a claim lasts longer than the engine's patience, the engine assumes that the store
     * is down.
     */
    private Duration left(long asked) {
        return openWithin.minusNanos(System.nanoTime() - asked);
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return store().settle(lease, records.seal(lease.digest(), outcome), retention);
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return require(StepRecording.class).recordStep(lease, name, records.sealStep(lease.digest(), name, result));
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        return require(Importing.class).importRecord(records.seal(record), asOf);
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return ForwardedCall.compose(
                inspecting().find(digest),
                found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(found)
                        : Opening.of(digest, records.open(found.get()).thenApply(Optional::of)));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return ForwardedCall.compose(inspecting().page(query), records::open);
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return inspecting().statistics();
    }

    @Override
    public CompletionStage<Instant> now() {
        return inspecting().now();
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return inspecting().resolve(digest, token, sealed(digest, resolution), reason);
    }

    private Resolution sealed(KeyDigest digest, Resolution resolution) {
        return resolution instanceof Resolution.Settle settle
                ? new Resolution.Settle(records.seal(digest, settle.outcome()))
                : resolution;
    }

    @Override
    public CompletionStage<Boolean> resolve(
            KeyDigest digest, long token, Resolution resolution, String note, Entry entry) {
        return require(DecisionLog.class).resolve(digest, token, sealed(digest, resolution), note, entry);
    }

    @Override
    public CompletionStage<Void> add(Entry entry) {
        return require(DecisionLog.class).add(entry);
    }

    @Override
    public CompletionStage<List<Entry>> entries(@Nullable String subject, long before, int limit) {
        return require(DecisionLog.class).entries(subject, before, limit);
    }

    private Inspecting inspecting() {
        return require(Inspecting.class);
    }

    @Override
    public Class<C> transactionType() {
        return joining().transactionType();
    }

    @Override
    public Claim claim(C transaction, ClaimRequest request) {
        return openNow(request, joining().claim(transaction, request));
    }

    private Claim openNow(ClaimRequest request, Claim claim) {
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
        return joining().settle(transaction, lease, records.seal(lease.digest(), outcome), retention);
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return joining().isTransient(failure);
    }

    @Override
    public List<Claim> claimAll(C transaction, List<ClaimRequest> requests) {
        List<Claim> claims = new ArrayList<>(shared().claimAll(transaction, requests));
        for (int i = 0; i < claims.size(); i++) {
            claims.set(i, openNow(requests.get(i), claims.get(i)));
        }
        return claims;
    }

    @Override
    public boolean settleAll(C transaction, List<Settlement> settlements) {
        return shared().settleAll(
                        transaction,
                        settlements.stream()
                                .map(each -> new Settlement(
                                        each.lease(),
                                        records.seal(each.lease().digest(), each.outcome()),
                                        each.retention()))
                                .toList());
    }

    @Override
    public void releaseAll(C transaction, List<Lease> leases) {
        shared().releaseAll(transaction, leases);
    }

    @Override
    public void savepoint(C transaction) {
        shared().savepoint(transaction);
    }

    @Override
    public void rollBackToSavepoint(C transaction) {
        shared().rollBackToSavepoint(transaction);
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining.Shared<C> shared() {
        return require(TransactionJoining.Shared.class);
    }

    /** The cast is safe: transactions have the type that the store below asks for. */
    @SuppressWarnings("unchecked")
    private TransactionJoining<C> joining() {
        return require(TransactionJoining.class);
    }

    @Override
    public String toString() {
        return "sealed " + store();
    }
}
