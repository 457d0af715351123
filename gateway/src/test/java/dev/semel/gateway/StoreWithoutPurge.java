package dev.semel.gateway;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.Batching;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A store that the engine cannot purge; whoever has it can. */
record StoreWithoutPurge(JdbcKeyStore store) implements KeyStore, Inspecting, Batching {

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
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return store.find(digest);
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return store.page(query);
    }

    @Override
    public CompletionStage<Instant> now() {
        return store.now();
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return store.statistics();
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return store.resolve(digest, token, resolution, reason);
    }

    @Override
    public Map<String, Batches> batches() {
        return store.batches();
    }

    @Override
    public void close() {
        store.close();
    }
}
