package dev.semel.torture.node;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import dev.semel.torture.service.Failpoints;
import java.sql.Connection;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A store with failpoints before and behind its writes, and a heartbeat that can be starved. */
final class FailpointStore extends JoiningStore {

    private final Failpoints failpoints;
    private volatile long starvedUntil = System.nanoTime();
    private volatile long failingUntil = System.nanoTime();

    FailpointStore(KeyStore store, Failpoints failpoints) {
        super(store);
        this.failpoints = failpoints;
    }

    /** Holds back renewals for a while, as a machine without a free processor would. */
    void starveHeartbeat(long millis) {
        starvedUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Lets renewals fail for a while, and nothing else. */
    void failRenewals(long millis) {
        failingUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return ForwardedCall.compose(super.claim(request), claim -> {
            if (claim instanceof Claim.Acquired) {
                failpoints.reach("after-claim");
            }
            return CompletableFuture.completedFuture(claim);
        });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        failpoints.reach("before-settle");
        return ForwardedCall.compose(super.settle(lease, outcome, retention), settled -> {
            failpoints.reach("after-settle");
            return CompletableFuture.completedFuture(settled);
        });
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        if (failingUntil - System.nanoTime() > 0) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("renewals fail, as the conductor asked for", null));
        }
        long starving = starvedUntil - System.nanoTime();
        if (starving <= 0) {
            return super.renew(renewals);
        }
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(starving, TimeUnit.NANOSECONDS))
                .thenCompose(fed -> super.renew(renewals));
    }

    @Override
    public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
        boolean settled = super.settle(transaction, lease, outcome, retention);
        failpoints.reach("settled-inside-transaction");
        return settled;
    }
}
