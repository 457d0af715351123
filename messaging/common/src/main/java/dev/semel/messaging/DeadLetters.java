package dev.semel.messaging;

import java.util.concurrent.CompletionStage;

/**
 * Where messages go that will never be handled.
 *
 * @param <M> the broker's own type of message
 */
@FunctionalInterface
public interface DeadLetters<M> {

    /**
     * Keeps the message. The consumer is done with it when the stage completes normally, and sends it again when it does
     * not; after a crash it can arrive twice.
     */
    CompletionStage<?> send(DeadLetter<M> letter);
}
