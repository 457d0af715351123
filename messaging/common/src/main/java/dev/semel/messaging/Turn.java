package dev.semel.messaging;

import dev.semel.NotExecutedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The place of a message among others that are handled one after the other.
 *
 * @param comes completes when the handler may run; where it completes exceptionally with {@link #notYet}, the key is
 *     released
 * @param over is told when the handler has ended well, before that is stored; a transaction does not tell
 */
public record Turn(CompletionStage<?> comes, Runnable over) {

    /** Of a message that waits for no other. */
    public static final Turn NOW = new Turn(CompletableFuture.completedFuture(null), () -> {});

    /** For a message that gives its key back because another one comes first. */
    public static NotExecutedException notYet() {
        return new HandlerNotStartedException("the turn of the message has not come", null);
    }
}
