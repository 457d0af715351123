package dev.semel.kafka;

import java.util.concurrent.CompletionStage;

/** Where records go that will never be handled. */
@FunctionalInterface
public interface DeadLetters {

    /**
     * Keeps the record. It counts as handled when the stage completes normally, and is sent again when it does not; after
     * a crash it can arrive twice.
     */
    CompletionStage<?> send(DeadLetter letter);
}
