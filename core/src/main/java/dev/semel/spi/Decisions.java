package dev.semel.spi;

import dev.semel.KeyDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Applies what a person found out about a key, as every door for people does.
 *
 * <p>The owner of a key that is only lapsed may still be about to start: it asks for its lease again, and gets it. Whoever
 * looked before that saw no effect, and would let a second one happen. So a decision that denies an effect is taken only
 * over a key that is unknown, which nobody can start. A lapsed one is held first, and the person looks again.
 */
public final class Decisions {

    /** What became of a decision. */
    public enum Result {
        APPLIED,

        /** The key is neither lapsed nor unknown any more, or carries another token. */
        MOVED_ON,

        /** The key was lapsed and is unknown now. Look again whether the operation took effect, and decide again. */
        HELD_FIRST
    }

    private Decisions() {}

    public static CompletionStage<Result> apply(
            Inspecting store, KeyDigest digest, long token, Resolution resolution, String reason) {
        if (!deniesTheEffect(resolution)) {
            return resolve(store, digest, token, resolution, reason, Result.APPLIED);
        }
        return store.find(digest).thenCompose(found -> {
            KeyState state = found.map(KeyRecord::state).orElse(KeyState.EXPIRED);
            return switch (state) {
                case UNKNOWN -> resolve(store, digest, token, resolution, reason, Result.APPLIED);
                case LAPSED ->
                    resolve(
                            store,
                            digest,
                            token,
                            new Resolution.Hold(),
                            "held, because its owner could still have started: " + reason,
                            Result.HELD_FIRST);
                default -> CompletableFuture.completedStage(Result.MOVED_ON);
            };
        });
    }

    private static boolean deniesTheEffect(Resolution resolution) {
        return resolution instanceof Resolution.Release
                || (resolution instanceof Resolution.Settle settle
                        && !settle.outcome().isSuccess());
    }

    private static CompletionStage<Result> resolve(
            Inspecting store, KeyDigest digest, long token, Resolution resolution, String reason, Result done) {
        return store.resolve(digest, token, resolution, reason)
                .thenApply(resolved -> resolved ? done : Result.MOVED_ON);
    }
}
