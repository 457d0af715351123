package dev.semel.sqs;

import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.AsyncMessageHandler;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.ConsumerBuilder;
import dev.semel.messaging.ConsumerSettings;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.TransactionalMessageHandler;
import dev.semel.util.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * A consumer of one queue that acts once on each message, even if it is delivered again.
 *
 * <p>Each message runs under a key, and is deleted only when its key is settled. While it is handled it stays invisible to
 * others; a message whose key is in flight elsewhere is left to be delivered again. Messages of one group of a FIFO queue are
 * handled one after the other.
 */
public final class SqsConsumer implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqsConsumer.class);
    private static final int RECEIVE = 10;

    /** How many receive requests run at the same time while the queue is full; an empty queue gets only one. */
    private static final int MOST_REQUESTS = 4;

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final SqsAsyncClient client;
    private final Builder builder;
    private final ConsumerSettings<Message> settings;
    private final Receipts receipts;
    private final MessageDispatcher line;
    private final ScheduledExecutorService heartbeat;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private SqsConsumer(Builder builder, Handling<Message> handling) {
        this.client = builder.client;
        this.builder = builder;
        this.settings = builder.settings();
        this.receipts = new Receipts(client, builder.queueUrl, builder.visibility, new ConcurrentLinkedQueue<>());
        this.line = new MessageDispatcher(settings, settings.guard(handling), receipts, this::fail);
        this.heartbeat = Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-sqs-heartbeat"));
    }

    /**
     * Starts building a consumer of the queue at this URL.
     *
     * @param semel the engine; like the client, it stays open when the consumer is closed
     */
    public static Builder builder(Semel semel, SqsAsyncClient client, String queueUrl) {
        return new Builder(semel, client, queueUrl);
    }

    /** Ends {@link #run}, because no message can be handled any more. */
    private void fail(Throwable failure) {
        broken.compareAndSet(null, failure);
        stopping.countDown();
        line.stop();
    }

    /** Receives until {@link #close}, or until something fails that no retry can fix. Can be called once. */
    @Override
    public void run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this consumer runs already, or has ended; build another");
        }
        long third = Math.max(1, builder.visibility.toMillis() / 3);
        heartbeat.scheduleWithFixedDelay(receipts::extend, third, third, TimeUnit.MILLISECONDS);
        try {
            // Requests that overlap might bring the messages of one group in the wrong order.
            int mostRequests = builder.queueUrl.endsWith(".fifo") ? 1 : MOST_REQUESTS;
            boolean more = false;
            while (stopping.getCount() > 0) {
                int free = settings.inFlight() - receipts.held();
                if (free > 0) {
                    more = receive(free, more ? mostRequests : 1);
                } else {
                    pause(PAUSE);
                }
            }
            line.drain(settings.drain());
            receipts.deleteNext();
        } finally {
            free();
        }
        Throwable failure = broken.get();
        if (failure != null) {
            throw new IllegalStateException("a message could not be offered to its key: " + failure, failure);
        }
    }

    /**
     * Receives messages with several requests at once, and says whether each has brought as many as it could. Only one of them
     * waits for messages to come, and it is the last to be waited for: what the others bring must not wait with it.
     */
    private boolean receive(int free, int mostRequests) {
        CompletableFuture<ReceiveMessageResponse> patient = request(Math.min(RECEIVE, free), builder.wait);
        List<CompletableFuture<ReceiveMessageResponse>> requests = new ArrayList<>();
        for (int left = free - RECEIVE; left >= RECEIVE && requests.size() + 1 < mostRequests; left -= RECEIVE) {
            requests.add(request(RECEIVE, Duration.ZERO));
        }
        requests.add(patient);
        int received = 0;
        for (CompletableFuture<ReceiveMessageResponse> request : requests) {
            received += take(request);
        }
        return received == Math.min(free, requests.size() * RECEIVE);
    }

    private CompletableFuture<ReceiveMessageResponse> request(int most, Duration wait) {
        return client.receiveMessage(request -> request.queueUrl(builder.queueUrl)
                .maxNumberOfMessages(most)
                .waitTimeSeconds((int) wait.toSeconds())
                .visibilityTimeout((int) builder.visibility.toSeconds())
                .messageAttributeNames("All")
                .messageSystemAttributeNames(MessageSystemAttributeName.ALL));
    }

    private int take(CompletableFuture<ReceiveMessageResponse> request) {
        List<Message> messages;
        try {
            messages = request.join().messages();
        } catch (RuntimeException e) {
            if (!(e.getCause() instanceof SdkException)) {
                throw e;
            }
            LOG.warn("no messages could be received; trying again", e.getCause());
            pause(AFTER_FAILURE);
            return 0;
        }
        Map<String, List<ReceivedMessage>> groups = new LinkedHashMap<>();
        for (Message message : messages) {
            ReceivedMessage received = read(message);
            receipts.hold(received);
            String group = received.group() == null ? message.messageId() : received.group();
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(received);
        }
        groups.values().forEach(line::handle);
        return messages.size();
    }

    private ReceivedMessage read(Message message) {
        try {
            Optional<String> value = builder.extractor.keyOf(message);
            if (value.isPresent()) {
                return new ReceivedMessage(message, settings.key(value.get()), null);
            }
            return unreadable(message, new MessageRejectedException("the message has no idempotency key", null));
        } catch (RuntimeException e) {
            return unreadable(message, new MessageRejectedException("the message has no usable key: " + e, e));
        }
    }

    /** Its id is all that such a message can be named by. */
    private ReceivedMessage unreadable(Message message, MessageRejectedException why) {
        Key key = settings.key(message.messageId());
        return new ReceivedMessage(message, key, why);
    }

    private void pause(Duration time) {
        try {
            if (stopping.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("stopping");
            }
        } catch (InterruptedException e) {
            stopping.countDown();
            Thread.currentThread().interrupt();
        }
    }

    private void free() {
        heartbeat.shutdownNow();
        settings.handlers().close();
        ended.countDown();
    }

    /** Stops receiving, waits a while for running handlers, and ends {@link #run}. */
    @Override
    public void close() {
        stopping.countDown();
        line.stop();
        if (started.compareAndSet(false, true)) {
            free();
        }
        Threads.awaitUninterrupted(ended::await);
    }

    /** Builds an {@link SqsConsumer}. */
    public static final class Builder extends ConsumerBuilder<Builder, Message> {

        private final SqsAsyncClient client;
        private final String queueUrl;
        private SqsKeyExtractor extractor = SqsKeyExtractor.messageId();
        private Duration visibility = Duration.ofSeconds(30);
        private Duration wait = Duration.ofSeconds(5);

        private Builder(Semel semel, SqsAsyncClient client, String queueUrl) {
            super(semel, 100, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)));
            this.client = client;
            this.queueUrl = queueUrl;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** Finds the key of a message; by default its message id. */
        public Builder key(SqsKeyExtractor extractor) {
            this.extractor = extractor;
            return this;
        }

        /** The pause before a message is delivered again, in whole seconds. */
        @Override
        public Builder backoff(Backoff backoff) {
            return super.backoff(backoff);
        }

        /** The visibility timeout, which is extended while a message is handled; 30 s by default. */
        public Builder visibility(Duration time) {
            if (time.toSeconds() < 1) {
                throw new IllegalArgumentException("the visibility timeout must be at least 1 s, got " + time);
            }
            this.visibility = time;
            return this;
        }

        /** How long a receive waits for messages; 5 s by default, 20 s at most. */
        public Builder wait(Duration time) {
            if (time.isNegative() || time.toSeconds() > 20) {
                throw new IllegalArgumentException("a receive waits between 0 and 20 s, got " + time);
            }
            this.wait = time;
            return this;
        }

        public SqsConsumer handle(MessageHandler<Message> handler) {
            return new SqsConsumer(this, Handling.blocking(handler));
        }

        public SqsConsumer handleAsync(AsyncMessageHandler<Message> handler) {
            return new SqsConsumer(this, Handling.async(handler));
        }

        /** Handles each message in a transaction that carries the settle: exactly once for everything in that database. */
        public <C> SqsConsumer handleIn(
                TransactionRunner<C> transactions, TransactionalMessageHandler<Message, C> handler) {
            return new SqsConsumer(this, Handling.in(transactions, handler));
        }

        private ConsumerSettings<Message> settings() {
            return settings(
                    "sqs", queueUrl.substring(queueUrl.lastIndexOf('/') + 1), "DeadLetterQueue.of(client, queueUrl)");
        }
    }
}
