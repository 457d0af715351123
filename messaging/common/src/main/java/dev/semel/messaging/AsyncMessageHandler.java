package dev.semel.messaging;

import dev.semel.Attempt;
import java.util.concurrent.CompletionStage;

/** Like {@link MessageHandler}, for work that completes later. */
@FunctionalInterface
public interface AsyncMessageHandler<M> {

    CompletionStage<?> handle(M message, Attempt attempt);
}
