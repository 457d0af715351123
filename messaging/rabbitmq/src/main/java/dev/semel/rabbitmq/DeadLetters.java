package dev.semel.rabbitmq;

import java.util.concurrent.CompletionStage;

/** Where messages go that will never be handled. */
@FunctionalInterface
public interface DeadLetters {

    /**
     * Keeps the message, which is acknowledged when the stage completes normally, and tried again when it does not; after
     * a crash it can arrive twice.
     */
    CompletionStage<?> send(DeadLetter letter);
}
