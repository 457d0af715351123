package dev.semel.outbox;

import java.util.concurrent.CompletionStage;

/** A destination of messages. */
@FunctionalInterface
public interface Destination {

    /**
     * Delivers a message, with its key, so that the receiver can tell a repetition.
     *
     * <p>When the stage completes normally, the message is delivered and will not be sent again. When it fails, it is sent
     * again later, with {@link RetryLaterException} not before the time that it names; when it fails with
     * {@link UndeliverableException}, it is given up.
     */
    CompletionStage<?> deliver(Delivery delivery);
}
