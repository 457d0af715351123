package dev.semel.testkit.http;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.StoreUnavailableException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A store that can be made to fail: altogether, or only when an outcome is to be stored. */
public final class SwitchableStore extends ForwardingKeyStore implements Inspecting {

    private final Inspecting inspecting;
    private final AtomicInteger claims = new AtomicInteger();
    private volatile boolean down;
    private volatile boolean settlesFail;

    /** The store must be one that can be looked into. */
    public <S extends KeyStore & Inspecting> SwitchableStore(S store) {
        super(store);
        this.inspecting = store;
    }

    public void down(boolean isDown) {
        down = isDown;
    }

    public void settlesFail(boolean fail) {
        settlesFail = fail;
    }

    /** How often a key was asked for. */
    public int claims() {
        return claims.get();
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        claims.incrementAndGet();
        return unlessDown(() -> super.claim(request));
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return settlesFail ? unavailable() : unlessDown(() -> super.settle(lease, outcome, retention));
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return unlessDown(() -> super.renew(renewals));
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return unlessDown(() -> super.release(lease));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return unlessDown(() -> super.abandon(lease));
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return unlessDown(() -> inspecting.find(digest));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return unlessDown(() -> inspecting.page(query));
    }

    @Override
    public CompletionStage<Instant> now() {
        return unlessDown(inspecting::now);
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return unlessDown(inspecting::statistics);
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return unlessDown(() -> inspecting.resolve(digest, token, resolution, reason));
    }

    private <T> CompletionStage<T> unlessDown(Supplier<CompletionStage<T>> call) {
        return down ? unavailable() : call.get();
    }

    private static <T> CompletionStage<T> unavailable() {
        return CompletableFuture.failedStage(new StoreUnavailableException("the store was made unavailable", null));
    }
}
