package dev.semel.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.AsyncMessageHandler;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.ConsumerBuilder;
import dev.semel.messaging.ConsumerSettings;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.TransactionalMessageHandler;
import dev.semel.util.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of one queue that acts once on each message, even if it is delivered again.
 *
 * <p>Each message runs under a key, and is acknowledged only when its key is settled. A message whose key is in flight
 * elsewhere is held, and tried again. The connection should recover by itself, which is the default of the client; a
 * channel that the broker has closed is replaced. When the engine is closed, the consumer closes itself.
 */
public final class RabbitConsumer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitConsumer.class);

    /** A third of the broker's usual patience, so that a handler that starts late has time left. */
    private static final Duration HOLD_AT_MOST = Duration.ofMinutes(10);

    private static final ThreadFactory THREADS = Threads.daemons("semel-rabbitmq-answers");

    private final RabbitKeyExtractor extractor;
    private final ConsumerSettings<Delivery> settings;
    private final String queue;
    private final String tag = UUID.randomUUID().toString();
    private final Inbox inbox;
    private final ExecutorService answers;
    private final LastingChannel channel;
    /** Completes when the consumer is made, which may be after its first message. */
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private final AtomicBoolean failed = new AtomicBoolean();

    private RabbitConsumer(Builder builder, Handling<Delivery> handling) throws IOException {
        this.extractor = builder.extractor;
        this.settings = builder.settings();
        this.answers = Executors.newSingleThreadExecutor(THREADS);
        MessageGuard<Delivery> guard = settings.guard(handling);
        this.queue = builder.queue;
        this.inbox = new Inbox(
                answers,
                guard,
                settings.deadLetters(),
                settings.operation(),
                settings.backoff(),
                HOLD_AT_MOST,
                this::fail);
        this.channel = new LastingChannel(builder.connection, "the consumer of " + queue, this::consume);
        ready.complete(null);
    }

    /** Gives the queue to others: no message will ever be handled here. */
    private void fail(Throwable failure) {
        if (!failed.compareAndSet(false, true)) {
            return;
        }
        LOG.error("the consumer of {} ends: its messages cannot be offered to their keys", queue, failure);
        // Not on a thread of the connection, which has to read the broker's answers.
        ready.thenRunAsync(
                this::closeAfterFailure, work -> THREADS.newThread(work).start());
    }

    private void closeAfterFailure() {
        try {
            close();
        } catch (IOException e) {
            LOG.warn("the consumer of {} could not be closed", queue, e);
        }
    }

    private void consume(LastingChannel owner, Channel on) throws IOException {
        on.basicQos(settings.inFlight());
        on.basicConsume(
                queue,
                false,
                tag,
                (consumer, message) -> receive(on, message),
                consumer -> owner.replace(on, new IOException("the broker has cancelled the consumer")));
    }

    /**
     * Starts building a consumer for an existing queue.
     *
     * @param semel the engine; like the connection, it stays open when the consumer is closed
     */
    public static Builder builder(Semel semel, Connection connection, String queue) {
        return new Builder(semel, connection, queue);
    }

    private void receive(Channel channel, Delivery message) {
        try {
            Optional<String> value = extractor.keyOf(message);
            if (value.isPresent()) {
                inbox.take(channel, message, settings.key(value.get()), null);
            } else {
                unreadable(channel, message, new MessageRejectedException("the message has no idempotency key", null));
            }
        } catch (RuntimeException e) {
            unreadable(channel, message, new MessageRejectedException("the message has no usable key: " + e, e));
        }
    }

    /** Its content is all that such a message can be named by. */
    private void unreadable(Channel channel, Delivery message, MessageRejectedException why) {
        Key key =
                settings.key(Key.deterministicValue("unreadable", HexFormat.of().formatHex(message.getBody())));
        inbox.take(channel, message, key, why);
    }

    /** Takes no more messages, waits a while for running handlers, and returns the rest to the queue. */
    @Override
    public void close() throws IOException {
        Channel last = channel.last();
        try {
            cancel(last);
            inbox.drain(settings.drain());
            LastingChannel.close(last);
        } finally {
            answers.shutdown();
            settings.handlers().close();
        }
    }

    /** The broker may have cancelled the consumer before, or closed the channel. */
    private void cancel(Channel last) {
        try {
            if (last.isOpen()) {
                last.basicCancel(tag);
            }
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("the consumer of {} could not be cancelled", queue, e);
        }
    }

    /** Builds a {@link RabbitConsumer}. */
    public static final class Builder extends ConsumerBuilder<Builder, Delivery> {

        private final Connection connection;
        private final String queue;
        private RabbitKeyExtractor extractor = RabbitKeyExtractor.messageId();

        private Builder(Semel semel, Connection connection, String queue) {
            super(semel, 100, Backoff.DEFAULT);
            this.connection = connection;
            this.queue = queue;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** Finds the key of a message; by default its property {@code message-id}. */
        public Builder key(RabbitKeyExtractor extractor) {
            this.extractor = extractor;
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

        /** Starts to consume, with each message in a transaction that includes the settle. */
        public <C> RabbitConsumer handleIn(
                TransactionRunner<C> transactions, TransactionalMessageHandler<Delivery, C> handler)
                throws IOException {
            return new RabbitConsumer(this, Handling.in(transactions, handler));
        }

        private ConsumerSettings<Delivery> settings() {
            return settings("rabbitmq", queue, "DeadLetterExchange.of(publisher, \"\", \"orders.dead\")");
        }
    }
}
