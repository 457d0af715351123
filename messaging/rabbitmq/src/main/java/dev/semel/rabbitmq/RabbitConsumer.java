package dev.semel.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.AsyncMessageHandler;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.TransactionalMessageHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of one queue that acts once on each message, whatever is delivered again.
 *
 * <p>Each message runs under a key, and is acknowledged only when its key is settled. One whose key is in flight elsewhere
 * is given back after a while. The connection should recover by itself, as that of the client does by default.
 */
public final class RabbitConsumer implements AutoCloseable {

    private final Builder settings;
    private final Channel channel;
    private final String tag;
    private final Inbox inbox;
    private final ExecutorService answers;
    private final @Nullable ExecutorService ownExecutor;

    private RabbitConsumer(Builder builder, Handling<Delivery> handling) throws IOException {
        this.settings = builder;
        Policy policy = builder.requirePolicy();
        DeadLetters deadLetters = builder.requireDeadLetters();
        this.answers = Executors.newSingleThreadExecutor(RabbitConsumer::thread);
        this.ownExecutor = builder.executor == null ? Executors.newCachedThreadPool(RabbitConsumer::thread) : null;
        Executor executor = builder.executor == null ? Objects.requireNonNull(ownExecutor) : builder.executor;
        MessageGuard<Delivery> guard = new MessageGuard<>(
                builder.semel, policy, handling, executor, builder.maxAttempts, !builder.deadLetterUnknown);
        this.channel = builder.connection.createChannel();
        this.inbox = new Inbox(channel, answers, guard, deadLetters, policy.operation(), builder.backoff);
        channel.basicQos(builder.inFlight);
        this.tag = channel.basicConsume(builder.queue, false, (consumer, message) -> receive(message), consumer -> {});
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "semel-rabbitmq-handler");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * A consumer of a queue that exists.
     *
     * @param semel the engine, which stays open when the consumer is closed, like the connection
     */
    public static Builder builder(Semel semel, Connection connection, String queue) {
        return new Builder(semel, connection, queue);
    }

    private void receive(Delivery message) {
        try {
            Optional<String> value = settings.extractor.keyOf(message);
            if (value.isPresent()) {
                inbox.take(message, settings.namespace.key(settings.scope(), value.get()), null);
            } else {
                unreadable(message, new MessageRejectedException("the message has no idempotency key", null));
            }
        } catch (RuntimeException e) {
            unreadable(message, new MessageRejectedException("the message has no usable key: " + e, e));
        }
    }

    /** Its content is all that such a message can be named by. */
    private void unreadable(Delivery message, MessageRejectedException why) {
        Key key = settings.namespace.key(
                settings.scope(),
                Key.deterministicValue("unreadable", HexFormat.of().formatHex(message.getBody())));
        inbox.take(message, key, why);
    }

    /** Takes no more messages, waits a while for handlers that run, and gives the rest back to the queue. */
    @Override
    public void close() throws IOException {
        try {
            if (channel.isOpen()) {
                channel.basicCancel(tag);
            }
            inbox.drain(settings.drain);
            if (channel.isOpen()) {
                channel.close();
            }
        } catch (TimeoutException e) {
            throw new IOException("the channel could not be closed in time", e);
        } finally {
            answers.shutdown();
            if (ownExecutor != null) {
                ownExecutor.shutdown();
            }
        }
    }

    /** Makes a {@link RabbitConsumer}. */
    public static final class Builder {

        private final Semel semel;
        private final Connection connection;
        private final String queue;
        private RabbitKeyExtractor extractor = RabbitKeyExtractor.messageId();
        private Namespace namespace = Namespace.DEFAULT;
        private @Nullable String scope;
        private @Nullable Policy policy;
        private @Nullable DeadLetters deadLetters;
        private @Nullable Executor executor;
        private boolean deadLetterUnknown;
        private int inFlight = 100;
        private int maxAttempts;
        private Backoff backoff = Backoff.DEFAULT;
        private Duration drain = Duration.ofSeconds(5);

        private Builder(Semel semel, Connection connection, String queue) {
            this.semel = semel;
            this.connection = connection;
            this.queue = queue;
        }

        /** How the handler is made safe to repeat. */
        public Builder policy(Policy policy) {
            this.policy = policy;
            return this;
        }

        /** Where the key of a message is found; by default its property {@code message-id}. */
        public Builder key(RabbitKeyExtractor extractor) {
            this.extractor = extractor;
            return this;
        }

        /** Whom the keys belong to; by default the queue, by its name. */
        public Builder scope(String scope) {
            this.scope = scope;
            return this;
        }

        public Builder namespace(Namespace namespace) {
            this.namespace = namespace;
            return this;
        }

        /** Where messages go whose handler failed for good, usually a {@link DeadLetterExchange}. */
        public Builder deadLetters(DeadLetters deadLetters) {
            this.deadLetters = deadLetters;
            return this;
        }

        /** Sends messages to the dead letters, too, whose outcome nobody knows. Otherwise, they keep coming again. */
        public Builder deadLetterUnknown() {
            this.deadLetterUnknown = true;
            return this;
        }

        /** The most messages that are in our hands at once; 100 by default. With 1, they are handled in order. */
        public Builder inFlight(int messages) {
            if (messages < 1) {
                throw new IllegalArgumentException("at least 1 message must be in flight, got " + messages);
            }
            this.inFlight = messages;
            return this;
        }

        /**
         * How often a message is tried that was not executed, or whose consumers died, before it goes to the dead
         * letters; by default for ever.
         */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** After which time a message is tried again, or given back to the queue. */
        public Builder backoff(Backoff backoff) {
            this.backoff = backoff;
            return this;
        }

        /** How long running handlers are waited for when the consumer is closed. */
        public Builder drain(Duration atMost) {
            this.drain = atMost;
            return this;
        }

        /** Where handlers run; by default on threads of the consumer's own, as many as are needed. */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /** Starts to consume. */
        public RabbitConsumer handle(MessageHandler<Delivery> handler) throws IOException {
            return new RabbitConsumer(this, Handling.blocking(handler));
        }

        /** Starts to consume. */
        public RabbitConsumer handleAsync(AsyncMessageHandler<Delivery> handler) throws IOException {
            return new RabbitConsumer(this, Handling.async(handler));
        }

        /** Starts to consume, each message in a transaction that carries the settle. */
        public <C> RabbitConsumer handleIn(
                TransactionRunner<C> transactions, TransactionalMessageHandler<Delivery, C> handler)
                throws IOException {
            return new RabbitConsumer(this, Handling.in(transactions, handler));
        }

        private Policy requirePolicy() {
            if (policy == null) {
                throw new IllegalStateException("a consumer needs a policy, for example"
                        + " Policy.external(\"ship\").build() or Policy.transactional(\"ship\").build()");
            }
            return policy;
        }

        private DeadLetters requireDeadLetters() {
            if (deadLetters == null) {
                throw new IllegalStateException("a consumer needs a place for messages that fail for good, for example"
                        + " DeadLetterExchange.of(publisher, \"\", \"orders.dead\")");
            }
            return deadLetters;
        }

        private String scope() {
            return scope == null ? queue : scope;
        }
    }
}
