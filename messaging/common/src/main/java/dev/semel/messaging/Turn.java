package dev.semel.messaging;

import dev.semel.NotExecutedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The place of a message among others that are handled one after the other.
 *
 * @param comes completes when the handler may run; if it completes exceptionally with {@link #notYet}, the key is
 *     released
 * @param over runs when the handler has succeeded, before its outcome is stored; not called in a transaction
 * @param chain the handlers that it waits for; {@code null} if it waits for no other
 */
public record Turn(
        CompletionStage<?> comes, Runnable over, @Nullable HandlerChain chain) {

    /** The turn of a message that waits for no other. */
    public static final Turn NOW = new Turn(CompletableFuture.completedFuture(null), () -> {}, null);

    /** Releases the key of a message because another message comes first. */
    public static NotExecutedException notYet() {
        return new HandlerNotStartedException("an earlier message of the same order has not ended", null);
    }
}
