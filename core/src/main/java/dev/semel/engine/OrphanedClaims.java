package dev.semel.engine;

import dev.semel.observe.SemelEvent;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.util.Durations;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes back claims whose answer never came, so that a retry does not wait for an unused lease.
 *
 * <p>While the store is down, only one call at a time is sent to it, however many claims have failed. Once it answers,
 * the number of claims that are released at the same time grows, so that a batching store gets them in batches; it
 * shrinks if the answers are slow. A busy store would otherwise be kept busy by the claims that it did not answer in
 * time, and callers would get no answers because of them. A claim that took over a lapsed lease is left to lapse again,
 * because the key's recovery must handle it.
 */
final class OrphanedClaims {

    /** Beyond this many, a claim is left to lapse like that of an owner that died. */
    private static final int MAX = 100_000;

    private static final int MAX_AT_A_TIME = 256;

    /** A store that takes longer to take back a claim is busy. */
    private static final Duration BUSY = Duration.ofMillis(250);

    private final Deque<ClaimRequest> orphans = new ArrayDeque<>();
    private final Engine engine;
    private int underWay;
    private int atATime = 1;

    OrphanedClaims(Engine engine) {
        this.engine = engine;
    }

    void add(ClaimRequest request) {
        synchronized (this) {
            if (orphans.size() == MAX) {
                return;
            }
            orphans.addLast(request.withoutTakeOver());
        }
        takeBackMore();
    }

    private void takeBackMore() {
        for (ClaimRequest next = next(); next != null; next = next()) {
            long startedAt = System.nanoTime();
            takeBack(next).whenComplete((done, failure) -> {
                ended(failure == null, Durations.since(startedAt));
                if (failure != null) {
                    engine.tell(new SemelEvent.MaintenanceFailed("take back a claim", Failures.unwrap(failure)));
                }
                // Not on this thread: it may be the store's, and each answer would nest deeper in the one before.
                CompletableFuture.runAsync(this::takeBackMore);
            });
        }
    }

    private synchronized @Nullable ClaimRequest next() {
        if (orphans.isEmpty() || underWay >= atATime) {
            return null;
        }
        underWay++;
        return orphans.removeFirst();
    }

    private synchronized void ended(boolean answered, Duration took) {
        underWay--;
        if (!answered) {
            atATime = 1;
        } else if (took.compareTo(BUSY) < 0) {
            atATime = Math.min(atATime * 2, MAX_AT_A_TIME);
        } else {
            atATime = Math.max(atATime / 2, 1);
        }
    }

    private CompletionStage<?> takeBack(ClaimRequest request) {
        return engine.store
                .claimAgain(request)
                // A store that sends claims together may have answered it like another one for the same key.
                .thenCompose(claim -> claim instanceof Claim.InFlight
                        ? engine.store.claimAgain(request)
                        : CompletableFuture.completedStage(claim))
                .thenCompose(claim -> claim instanceof Claim.Acquired acquired
                                && acquired.lease().attempt() == 1
                        ? engine.store.release(acquired.lease(), engine.settings.claimPatience())
                        : CompletableFuture.completedStage(false));
    }
}
