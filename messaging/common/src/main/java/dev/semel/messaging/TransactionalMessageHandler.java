package dev.semel.messaging;

import dev.semel.Attempt;

/**
 * Handles a message in a transaction that also includes the settle of its key.
 *
 * <p>Every exception rolls the transaction back, and the message is tried again, except after a {@link
 * MessageRejectedException}.
 *
 * @param <M> the message type of the broker's client
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
@FunctionalInterface
public interface TransactionalMessageHandler<M, C> {

    void handle(M message, Attempt attempt, C transaction) throws Exception;
}
