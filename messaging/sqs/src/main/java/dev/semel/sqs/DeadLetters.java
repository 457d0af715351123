package dev.semel.sqs;

import java.util.concurrent.CompletionStage;

/** Where messages go that will never be handled. */
@FunctionalInterface
public interface DeadLetters {

    /**
     * Keeps the message, which is deleted from its queue when the stage completes normally, and comes again when it does
     * not; after a crash it can arrive twice.
     */
    CompletionStage<?> send(DeadLetter letter);
}
