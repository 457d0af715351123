package dev.semel.messaging;

import dev.semel.Attempt;

/**
 * Handles a message in a transaction that also includes the settle of its key.
 *
 * <p>Every exception rolls the transaction back, and the message is tried again; {@link MessageRejectedException} says
 * that this would be in vain.
 *
 * @param <M> a message as the broker's client gives it
 * @param <C> the handle of a transaction, for example {@code java.sql.Connection}
 */
@FunctionalInterface
public interface TransactionalMessageHandler<M, C> {

    void handle(M message, Attempt attempt, C transaction) throws Exception;
}
