package dev.semel.messaging;

import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.policy.Policy;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings that consumers of all brokers have in common.
 *
 * @param <B> the builder for a broker
 * @param <M> the broker's own type of message
 */
public abstract class ConsumerBuilder<B extends ConsumerBuilder<B, M>, M> {

    final Semel semel;
    Namespace namespace = Namespace.DEFAULT;
    private @Nullable String scope;
    private @Nullable Policy policy;
    private @Nullable DeadLetters<M> deadLetters;
    private @Nullable Executor executor;
    boolean deadLetterUnknown;
    int inFlight;
    int maxAttempts;
    Backoff backoff;
    Duration drain = Duration.ofSeconds(5);

    protected ConsumerBuilder(Semel semel, int inFlight, Backoff backoff) {
        this.semel = semel;
        this.inFlight = inFlight;
        this.backoff = backoff;
    }

    protected abstract B self();

    /** Sets the policy of the handler. */
    public B policy(Policy policy) {
        this.policy = policy;
        return self();
    }

    /** The scope of the keys; by default the queue, or in Kafka the consumer group, so that each group acts once. */
    public B scope(String scope) {
        this.scope = scope;
        return self();
    }

    public B namespace(Namespace namespace) {
        this.namespace = namespace;
        return self();
    }

    /** The destination of messages whose handler failed for good. The consumer does not close it. */
    public B deadLetters(DeadLetters<M> deadLetters) {
        this.deadLetters = deadLetters;
        return self();
    }

    /**
     * Sends a message to the dead letters if its outcome is unknown because an attempt died. Without this setting it
     * waits, and in Kafka holds back its partition, until an operator or a reconciler has resolved the key.
     */
    public B deadLetterUnknown() {
        this.deadLetterUnknown = true;
        return self();
    }

    /**
     * How many messages are in progress at the same time, in Kafka for each partition. With 1, they are handled in
     * order.
     */
    public B inFlight(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("at least 1 message must be in flight, got " + messages);
        }
        this.inFlight = messages;
        return self();
    }

    /**
     * How often a message that was not executed, or whose consumers died, is tried before it goes to the dead letters;
     * by default forever, so that a message is not given up because another system is down. Each consumer counts for
     * itself, and only calls of the handler: not deliveries, not an executor that is full, and not failures around the
     * handler.
     */
    public B maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return self();
    }

    /** The pause before a message is tried or delivered again. */
    public B backoff(Backoff backoff) {
        this.backoff = backoff;
        return self();
    }

    /** How long the consumer waits for running handlers when it is closed or loses partitions. */
    public B drain(Duration atMost) {
        this.drain = atMost;
        return self();
    }

    /** The executor for handlers; by default the consumer has its own threads, as many as are needed. */
    public B executor(Executor executor) {
        this.executor = executor;
        return self();
    }

    /**
     * The complete settings; fails if some are missing.
     *
     * @param broker the broker's name, for threads
     * @param defaultScope the scope of keys if none was set
     * @param exampleOfDeadLetters an example of a dead-letter destination, for the error message when there is none
     */
    protected ConsumerSettings<M> settings(String broker, String defaultScope, String exampleOfDeadLetters) {
        if (policy == null) {
            throw new IllegalStateException("a consumer needs a policy, for example"
                    + " Policy.external(\"ship\").build() or Policy.transactional(\"ship\").build()");
        }
        if (deadLetters == null) {
            throw new IllegalStateException(
                    "a consumer needs a destination for messages that fail for good, for example "
                            + exampleOfDeadLetters);
        }
        return new ConsumerSettings<>(
                this,
                policy,
                scope == null ? defaultScope : scope,
                deadLetters,
                executor == null ? HandlerThreads.own("semel-" + broker + "-handler") : HandlerThreads.of(executor));
    }
}
