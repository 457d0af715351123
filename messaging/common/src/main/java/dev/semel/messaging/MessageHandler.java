package dev.semel.messaging;

import dev.semel.Attempt;

/**
 * Handles a message, on its own thread.
 *
 * <p>An exception is stored as the message's outcome, and the message goes to the dead letters: the handler may have had
 * effects. When it had none, it says so by throwing {@link dev.semel.NotExecutedException}, or an exception that the
 * policy's {@code notExecuted} names, and the message is tried again.
 *
 * @param <M> a message as the broker's client gives it
 */
@FunctionalInterface
public interface MessageHandler<M> {

    void handle(M message, Attempt attempt) throws Exception;
}
