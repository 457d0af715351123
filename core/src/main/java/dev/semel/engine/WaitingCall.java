package dev.semel.engine;

import dev.semel.KeyClaim;
import dev.semel.spi.Claim;
import dev.semel.util.CallerThread;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits because another call runs its operation. It checks again from time to time, for as long as it may.
 */
record WaitingCall<T>(Flow<T> flow, Claim.InFlight inFlight, Duration left) implements KeyClaim.Waiting<T> {

    /** The part of a lease in which a call that can no longer run has stopped waiting. */
    private static final int LAPSE_MARGIN = 4;

    @Override
    public KeyClaim<T> await() {
        KeyClaim<T> claim = this;
        while (claim instanceof WaitingCall<T> waiting) {
            CompletionStage<Void> look = waiting.nextLook(waiting.left);
            if (look == null) {
                return waiting.flow.answerInFlight(waiting.inFlight);
            }
            CallerThread.await(look);
            claim = flow.claim();
        }
        return claim;
    }

    @Override
    public CompletionStage<KeyClaim<T>> awaitAnswer() {
        return later(false).whenComplete((claim, failure) -> {
            if (failure != null) {
                flow.ended(null, failure);
            }
        });
    }

    /** Waits without a thread. */
    CompletionStage<KeyClaim<T>> later(boolean runs) {
        CompletionStage<Void> look = nextLook(runs ? left : withoutTakingOver());
        return look == null
                ? CompletableFuture.completedStage(flow.answerInFlight(inFlight))
                : look.thenCompose(woken -> flow.attemptOnce())
                        .thenCompose(claim -> claim instanceof WaitingCall<T> waiting
                                ? waiting.later(runs)
                                : CompletableFuture.completedStage(claim));
    }

    /**
     * How long a call that can no longer run may wait. It must not find the key lapsed, because it could only let it
     * lapse again. A living owner renews its lease long before only this margin is left.
     */
    private Duration withoutTakingOver() {
        if (!flow.takesOver()) {
            return left;
        }
        Duration alive = inFlight.leaseLeft().minus(flow.policy.lease().dividedBy(LAPSE_MARGIN));
        return alive.compareTo(left) < 0 ? alive : left;
    }

    /** Completes when it is worth looking again; {@code null} if there is no time or no place left to wait. */
    private @Nullable CompletionStage<Void> nextLook(Duration longest) {
        return longest.isNegative() ? null : flow.nextLook(longest);
    }
}
