package dev.semel.sqs;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A consumer of one queue that acts once on each message, whatever is delivered again.
 *
 * <p>Each message runs under a key, and is deleted only when its key is settled. While it is handled it stays invisible to
 * others; one whose key is in flight elsewhere is left to come again. Messages of one group of a FIFO queue are handled
 * one after the other.
 */
public final class SqsConsumer implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqsConsumer.class);
    private static final int RECEIVE = 10;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final SqsAsyncClient client;
    private final Builder settings;
    private final String scope;
    private final Receipts receipts;
    private final Line line;
    private final @Nullable ExecutorService ownExecutor;
    private final ScheduledExecutorService heartbeat;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private SqsConsumer(Builder builder, Handling<Message> handling) {
        this.client = builder.client;
        this.settings = builder;
        this.scope = builder.scope();
        Policy policy = builder.requirePolicy();
        this.ownExecutor =
                builder.executor == null ? Executors.newCachedThreadPool(work -> thread("handler", work)) : null;
        Executor executor = builder.executor == null ? Objects.requireNonNull(ownExecutor) : builder.executor;
        this.receipts = new Receipts(client, builder.queueUrl, builder.visibility);
        this.line = new Line(
                new MessageGuard<>(
                        builder.semel, policy, handling, executor, builder.maxAttempts, !builder.deadLetterUnknown),
                receipts,
                builder.requireDeadLetters(),
                policy.operation(),
                builder.backoff);
        this.heartbeat = Executors.newSingleThreadScheduledExecutor(work -> thread("heartbeat", work));
    }

    private static Thread thread(String role, Runnable work) {
        Thread thread = new Thread(work, "semel-sqs-" + role);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * A consumer of the queue at this URL.
     *
     * @param semel the engine, which stays open when the consumer is closed, like the client
     */
    public static Builder builder(Semel semel, SqsAsyncClient client, String queueUrl) {
        return new Builder(semel, client, queueUrl);
    }

    /** Receives until {@link #close}. Can be called once. */
    @Override
    public void run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this consumer runs already, or has ended; build another");
        }
        long third = Math.max(1, settings.visibility.toMillis() / 3);
        heartbeat.scheduleWithFixedDelay(receipts::extend, third, third, TimeUnit.MILLISECONDS);
        try {
            while (stopping.getCount() > 0) {
                int free = Math.min(RECEIVE, settings.inFlight - receipts.held());
                if (free > 0) {
                    receive(free);
                } else {
                    pause(PAUSE);
                }
            }
            line.drain(settings.drain);
        } finally {
            free();
        }
    }

    private void receive(int most) {
        List<Message> messages;
        try {
            messages = client.receiveMessage(request -> request.queueUrl(settings.queueUrl)
                            .maxNumberOfMessages(most)
                            .waitTimeSeconds((int) settings.wait.toSeconds())
                            .visibilityTimeout((int) settings.visibility.toSeconds())
                            .messageAttributeNames("All")
                            .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                    .join()
                    .messages();
        } catch (RuntimeException e) {
            if (!(e.getCause() instanceof SdkException)) {
                throw e;
            }
            LOG.warn("no messages could be received; trying again", e.getCause());
            pause(AFTER_FAILURE);
            return;
        }
        Map<String, List<Received>> groups = new LinkedHashMap<>();
        for (Message message : messages) {
            Received received = read(message);
            receipts.hold(received);
            String group = received.group() == null ? message.messageId() : received.group();
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(received);
        }
        groups.values().forEach(line::handle);
    }

    private Received read(Message message) {
        try {
            Optional<String> value = settings.extractor.keyOf(message);
            if (value.isPresent()) {
                return new Received(message, settings.namespace.key(scope, value.get()), null);
            }
            return unreadable(message, new MessageRejectedException("the message has no idempotency key", null));
        } catch (RuntimeException e) {
            return unreadable(message, new MessageRejectedException("the message has no usable key: " + e, e));
        }
    }

    /** Its id is all that such a message can be named by. */
    private Received unreadable(Message message, MessageRejectedException why) {
        Key key = settings.namespace.key(scope, message.messageId());
        return new Received(message, key, why);
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
        if (ownExecutor != null) {
            ownExecutor.shutdown();
        }
        ended.countDown();
    }

    /** Receives no more, waits a while for handlers that run, and ends {@link #run}. */
    @Override
    public void close() {
        stopping.countDown();
        line.stop();
        if (started.compareAndSet(false, true)) {
            free();
        }
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes an {@link SqsConsumer}. */
    public static final class Builder {

        private final Semel semel;
        private final SqsAsyncClient client;
        private final String queueUrl;
        private SqsKeyExtractor extractor = SqsKeyExtractor.messageId();
        private Namespace namespace = Namespace.DEFAULT;
        private @Nullable String scope;
        private @Nullable Policy policy;
        private @Nullable DeadLetters deadLetters;
        private @Nullable Executor executor;
        private boolean deadLetterUnknown;
        private int inFlight = 100;
        private int maxAttempts;
        private Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
        private Duration visibility = Duration.ofSeconds(30);
        private Duration wait = Duration.ofSeconds(5);
        private Duration drain = Duration.ofSeconds(5);

        private Builder(Semel semel, SqsAsyncClient client, String queueUrl) {
            this.semel = semel;
            this.client = client;
            this.queueUrl = queueUrl;
        }

        /** How the handler is made safe to repeat. */
        public Builder policy(Policy policy) {
            this.policy = policy;
            return this;
        }

        /** Where the key of a message is found; by default its message id. */
        public Builder key(SqsKeyExtractor extractor) {
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

        /** Where messages go whose handler failed for good, usually a {@link DeadLetterQueue}. */
        public Builder deadLetters(DeadLetters deadLetters) {
            this.deadLetters = deadLetters;
            return this;
        }

        /** Sends messages to the dead letters, too, whose outcome nobody knows. Otherwise, they keep coming again. */
        public Builder deadLetterUnknown() {
            this.deadLetterUnknown = true;
            return this;
        }

        /** The most messages that are in our hands at once; 100 by default. */
        public Builder inFlight(int messages) {
            if (messages < 1) {
                throw new IllegalArgumentException("at least 1 message must be in flight, got " + messages);
            }
            this.inFlight = messages;
            return this;
        }

        /**
         * How often a message is received that was not executed, or whose consumers died, before it goes to the dead
         * letters; by default for ever.
         */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** After which time a message comes again that has to be tried again; in whole seconds. */
        public Builder backoff(Backoff backoff) {
            this.backoff = backoff;
            return this;
        }

        /** For how long messages are made invisible to others, again and again while they are handled; 30 s by default. */
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
                        + " DeadLetterQueue.of(client, queueUrl)");
            }
            return deadLetters;
        }

        private String scope() {
            return scope == null ? queueUrl.substring(queueUrl.lastIndexOf('/') + 1) : scope;
        }
    }
}
