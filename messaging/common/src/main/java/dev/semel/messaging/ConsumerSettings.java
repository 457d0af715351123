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
 */
public final class ConsumerSettings<M> {

    private final Semel semel;
    private final Policy policy;
    private final Namespace namespace;
    private final String scope;
    private final DeadLetters<M> deadLetters;
    private final boolean deadLetterUnknown;
    private final HandlerThreads handlers;
    private final int inFlight;
    private final int maxAttempts;
    private final Backoff backoff;
    private final Duration drain;

    /** Takes all settings from the builder, except those that may be missing or incomplete there. */
    ConsumerSettings(
            ConsumerBuilder<?, M> builder,
            Policy policy,
            String scope,
            DeadLetters<M> deadLetters,
            HandlerThreads handlers) {
        this.policy = policy;
        this.scope = scope;
        this.deadLetters = deadLetters;
        this.handlers = handlers;
        semel = builder.semel;
        namespace = builder.namespace;
        deadLetterUnknown = builder.deadLetterUnknown;
        inFlight = builder.inFlight;
        maxAttempts = builder.maxAttempts;
        backoff = builder.backoff;
        drain = builder.drain;
    }

    public <T> MessageGuard<T> guard(Handling<T> handling) {
        MessageGuard.Builder<T> guard =
                MessageGuard.builder(semel, policy, handling).executor(handlers).maxAttempts(maxAttempts);
        return (deadLetterUnknown ? guard.deadLetterUnknown() : guard).build();
    }

    public Key key(String value) {
        return namespace.key(scope, value);
    }

    public String operation() {
        return policy.operation();
    }

    public Namespace namespace() {
        return namespace;
    }

    public String scope() {
        return scope;
    }

    public DeadLetters<M> deadLetters() {
        return deadLetters;
    }

    /** The executor for handlers. */
    public HandlerThreads handlers() {
        return handlers;
    }

    /** The most messages that are handled at once. */
    public int inFlight() {
        return inFlight;
    }

    public Backoff backoff() {
        return backoff;
    }

    public Duration drain() {
        return drain;
    }
}
