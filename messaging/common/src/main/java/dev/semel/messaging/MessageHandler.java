package dev.semel.messaging;

import dev.semel.Attempt;

/**
 * Handles a message, on its own thread.
 *
 * <p>An exception is stored as the message's outcome, and the message goes to the dead letters: the handler may have
 * had effects. If it had none, throw {@link dev.semel.NotExecutedException}, or an exception that the policy's {@code
 * notExecuted} names: the message is then tried again.
 *
 * @param <M> the message type of the broker's client
 */
@FunctionalInterface
public interface MessageHandler<M> {

    void handle(M message, Attempt attempt) throws Exception;
}
