package dev.semel.messaging;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.policy.Policy;
import java.time.Duration;

/**
 * The settings of the consumers of all brokers, complete and validated.
 *
 * @param <M> the broker's own type of message
 * @param handlers where handlers run
 * @param inFlight the most messages that are handled at once
 */
public record ConsumerSettings<M>(
        Semel semel,
        Policy policy,
        Namespace namespace,
        String scope,
        DeadLetters<M> deadLetters,
        boolean deadLetterUnknown,
        HandlerThreads handlers,
        int inFlight,
        int maxAttempts,
        Backoff backoff,
        Duration drain) {

    public <T> MessageGuard<T> guard(Handling<T> handling) {
        return new MessageGuard<>(semel, policy, handling, handlers, maxAttempts, !deadLetterUnknown);
    }

    public Key key(String value) {
        return namespace.key(scope, value);
    }

    public String operation() {
        return policy.operation();
    }
}
