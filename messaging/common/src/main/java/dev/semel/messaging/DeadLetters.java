package dev.semel.messaging;

import java.util.concurrent.CompletionStage;

/**
 * The destination of messages that will never be handled.
 *
 * @param <M> the broker's own type of message
 */
@FunctionalInterface
public interface DeadLetters<M> {

    /**
     * Stores the message. When the stage completes normally, the consumer is done with the message; otherwise it sends
     * it again. After a crash a message can arrive twice.
     */
    CompletionStage<?> send(DeadLetter<M> letter);
}
