package dev.semel;

import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes back claims whose answer never came, so that a retry need not wait for a lease that nobody runs under.
 *
 * <p>One after the other: while the store is down there is a single call that knocks at its door, however many claims
 * have failed. A claim that took over a lapsed lease is left to lapse again: the key's story belongs to its recovery.
 */
final class Orphans {

    /** Beyond this many, a claim is left to lapse like that of an owner that died. */
    private static final int MAX = 100_000;

    private final Deque<ClaimRequest> orphans = new LinkedBlockingDeque<>(MAX);
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Engine engine;

    Orphans(Engine engine) {
        this.engine = engine;
    }

    void add(ClaimRequest request) {
        if (orphans.offerLast(request.withoutTakeOver())) {
            takeBackNext();
        }
    }

    private void takeBackNext() {
        if (!busy.compareAndSet(false, true)) {
            return;
        }
        ClaimRequest request = orphans.pollFirst();
        if (request == null) {
            busy.set(false);
            if (!orphans.isEmpty()) {
                // It was added after the look and before the end of it, and whoever added it found this busy.
                takeBackNext();
            }
            return;
        }
        takeBack(request).whenComplete((done, failure) -> {
            busy.set(false);
            if (failure != null) {
                engine.events.tell(new SemelEvent.MaintenanceFailed("take back a claim", Failures.unwrap(failure)));
            }
            if (!orphans.isEmpty()) {
                CompletableFuture.runAsync(this::takeBackNext);
            }
        });
    }

    private CompletionStage<?> takeBack(ClaimRequest request) {
        return ask(request)
                // A store that sends claims together may have answered it like another one for the same key.
                .thenCompose(claim ->
                        claim instanceof Claim.InFlight ? ask(request) : CompletableFuture.completedStage(claim))
                .thenCompose(claim -> claim instanceof Claim.Acquired acquired
                                && acquired.lease().attempt() == 1
                        ? engine.releaseNow(acquired.lease())
                        : CompletableFuture.completedStage(false));
    }

    private CompletableFuture<Claim> ask(ClaimRequest request) {
        return engine.repeater.repeat(() -> engine.store.claim(request), engine.settings.settleGiveUp());
    }
}
