package dev.semel.torture.node;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
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
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A store that passes everything on, for those that change one thing. Only PostgreSQL's can join transactions. */
class ForwardingStore implements KeyStore, Purging, Inspecting, StepRecording, TransactionJoining<Connection> {

    private final KeyStore store;

    ForwardingStore(KeyStore store) {
        this.store = store;
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
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return ((StepRecording) store).recordStep(lease, name, result);
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return ((Purging) store).purge(limit);
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return ((Inspecting) store).find(digest);
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return ((Inspecting) store).page(query);
    }

    @Override
    public CompletionStage<Instant> now() {
        return ((Inspecting) store).now();
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return ((Inspecting) store).statistics();
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return ((Inspecting) store).resolve(digest, token, resolution, reason);
    }

    @Override
    public Class<Connection> transactionType() {
        return Connection.class;
    }

    @Override
    public Claim claim(Connection transaction, ClaimRequest request) {
        return joining().claim(transaction, request);
    }

    @Override
    public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
        return joining().settle(transaction, lease, outcome, retention);
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<Connection> joining() {
        return (TransactionJoining<Connection>) store;
    }

    @Override
    public void close() {
        store.close();
    }
}
