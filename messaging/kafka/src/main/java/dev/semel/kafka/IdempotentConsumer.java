package dev.semel.kafka;

import dev.semel.Namespace;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.AsyncMessageHandler;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.TransactionalMessageHandler;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a consumer group that acts once on each record, whatever is delivered again.
 *
 * <p>Each record runs under a key. Its offset is committed only when its key is settled, and those of all records before
 * it. A record whose key is in flight elsewhere holds its partition back until the key is settled; one whose stored
 * outcome is a failure goes to the dead letters.
 *
 * <p>{@link #run} occupies one thread, which only polls and commits, so that a handler may take as long as it likes.
 */
public final class IdempotentConsumer<K, V> implements Runnable, AutoCloseable {

    private static final Duration BUSY_POLL = Duration.ofMillis(20);
    private static final Duration IDLE_POLL = Duration.ofMillis(200);

    private final List<String> topics;
    private final RecordReader<K, V> reader;
    private final Consumer<byte[], byte[]> consumer;
    private final Assignment<K, V> assignment;
    private final @Nullable ExecutorService ownExecutor;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopping;

    private IdempotentConsumer(Builder<K, V> builder, Handling<ConsumerRecord<K, V>> handling) {
        this.topics = builder.topics;
        this.reader = new RecordReader<>(
                builder.keyDeserializer,
                builder.valueDeserializer,
                builder.extractor,
                builder.namespace,
                builder.scope());
        this.ownExecutor = builder.executor == null ? Executors.newCachedThreadPool(Builder::thread) : null;
        Executor executor = builder.executor == null ? Objects.requireNonNull(ownExecutor) : builder.executor;
        Policy policy = builder.requirePolicy();
        MessageGuard<ConsumerRecord<K, V>> guard = new MessageGuard<>(
                builder.semel, policy, handling, executor, builder.maxAttempts, !builder.deadLetterUnknown);
        LaneRules<K, V> rules = new LaneRules<>(
                guard,
                builder.requireDeadLetters(),
                policy.operation(),
                builder.ordered,
                builder.inFlight,
                builder.backoff,
                executor,
                failure -> broken.compareAndSet(null, failure));
        this.consumer =
                new KafkaConsumer<>(builder.checkedConfig(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.assignment = new Assignment<>(consumer, rules, builder.drain);
    }

    /**
     * A consumer that is configured like a plain one, except that it never commits by itself.
     *
     * @param semel the engine, which stays open when the consumer is closed
     */
    public static <K, V> Builder<K, V> builder(
            Semel semel, Map<String, ?> config, Deserializer<K> keyDeserializer, Deserializer<V> valueDeserializer) {
        return new Builder<>(semel, config, keyDeserializer, valueDeserializer);
    }

    /** Polls until {@link #close}, or until something fails that no retry can mend. Can be called once. */
    @Override
    public void run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this consumer runs already, or has ended; build another");
        }
        try {
            consumer.subscribe(topics, assignment);
            while (!stopping) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(assignment.isIdle() ? IDLE_POLL : BUSY_POLL);
                for (TopicPartition partition : polled.partitions()) {
                    assignment.add(
                            partition,
                            polled.records(partition).stream().map(reader::read).toList());
                }
                requireNotBroken();
                assignment.commit();
                assignment.throttle();
            }
        } finally {
            try {
                assignment.close();
            } finally {
                free();
            }
        }
    }

    private void requireNotBroken() {
        Throwable failure = broken.get();
        if (failure != null) {
            throw new IllegalStateException("a record could not be offered to its key: " + failure, failure);
        }
    }

    private void free() {
        try {
            consumer.close();
            reader.keys().close();
            reader.values().close();
        } finally {
            if (ownExecutor != null) {
                ownExecutor.shutdown();
            }
            ended.countDown();
        }
    }

    /** Starts no more handlers, waits a while for those that run, commits, leaves the group, and ends {@link #run}. */
    @Override
    public void close() {
        stopping = true;
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

    /** Makes an {@link IdempotentConsumer}. */
    public static final class Builder<K, V> {

        private final Semel semel;
        private final Map<String, Object> config;
        private final Deserializer<K> keyDeserializer;
        private final Deserializer<V> valueDeserializer;
        private List<String> topics = List.of();
        private KeyExtractor<K, V> extractor = KeyExtractor.position();
        private Namespace namespace = Namespace.DEFAULT;
        private @Nullable String scope;
        private @Nullable Policy policy;
        private @Nullable DeadLetters deadLetters;
        private @Nullable Executor executor;
        private boolean ordered = true;
        private boolean deadLetterUnknown;
        private int inFlight = 64;
        private int maxAttempts;
        private Backoff backoff = Backoff.DEFAULT;
        private Duration drain = Duration.ofSeconds(5);

        private Builder(
                Semel semel,
                Map<String, ?> config,
                Deserializer<K> keyDeserializer,
                Deserializer<V> valueDeserializer) {
            this.semel = semel;
            this.config = new HashMap<>(config);
            this.keyDeserializer = keyDeserializer;
            this.valueDeserializer = valueDeserializer;
        }

        public Builder<K, V> topics(String... names) {
            this.topics = List.of(names);
            return this;
        }

        /** How the handler is made safe to repeat. */
        public Builder<K, V> policy(Policy policy) {
            this.policy = policy;
            return this;
        }

        /** Where the key of a record is found; by default its topic, partition and offset. */
        public Builder<K, V> key(KeyExtractor<K, V> extractor) {
            this.extractor = extractor;
            return this;
        }

        /** Whom the keys belong to; by default the consumer group, so that each group acts once. */
        public Builder<K, V> scope(String scope) {
            this.scope = scope;
            return this;
        }

        public Builder<K, V> namespace(Namespace namespace) {
            this.namespace = namespace;
            return this;
        }

        /** Where records go whose handler failed for good, usually a {@link DeadLetterTopic}. It is not closed. */
        public Builder<K, V> deadLetters(DeadLetters deadLetters) {
            this.deadLetters = deadLetters;
            return this;
        }

        /**
         * Sends records to the dead letters, too, whose outcome nobody knows because an attempt died. Otherwise, they
         * hold their partition back until an operator or a reconciler has decided over the key.
         */
        public Builder<K, V> deadLetterUnknown() {
            this.deadLetterUnknown = true;
            return this;
        }

        /** Handles the records of a partition in any order and at the same time, as far as {@link #inFlight} allows. */
        public Builder<K, V> unordered() {
            this.ordered = false;
            return this;
        }

        /**
         * The most records of a partition whose keys are claimed at once; 64 by default. In order, keys are claimed
         * ahead only if the policy's recovery is {@code RE_EXECUTE}.
         */
        public Builder<K, V> inFlight(int records) {
            if (records < 1) {
                throw new IllegalArgumentException("at least 1 record must be in flight, got " + records);
            }
            this.inFlight = records;
            return this;
        }

        /**
         * How often a record is tried that was not executed, or whose consumers died, before it goes to the dead
         * letters; by default for ever, so that nothing is given up because another system is down.
         */
        public Builder<K, V> maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        public Builder<K, V> backoff(Backoff backoff) {
            this.backoff = backoff;
            return this;
        }

        /** How long running handlers are waited for when partitions are taken away, or the consumer is closed. */
        public Builder<K, V> drain(Duration atMost) {
            this.drain = atMost;
            return this;
        }

        /** Where handlers run; by default on threads of the consumer's own, as many as are needed. */
        public Builder<K, V> executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        public IdempotentConsumer<K, V> handle(MessageHandler<ConsumerRecord<K, V>> handler) {
            return new IdempotentConsumer<>(this, Handling.blocking(handler));
        }

        public IdempotentConsumer<K, V> handleAsync(AsyncMessageHandler<ConsumerRecord<K, V>> handler) {
            return new IdempotentConsumer<>(this, Handling.async(handler));
        }

        /** Handles each record in a transaction that carries the settle: exactly once for everything in that database. */
        public <C> IdempotentConsumer<K, V> handleIn(
                TransactionRunner<C> transactions, TransactionalMessageHandler<ConsumerRecord<K, V>, C> handler) {
            return new IdempotentConsumer<>(this, Handling.in(transactions, handler));
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
                throw new IllegalStateException("a consumer needs a place for records that fail for good, for example"
                        + " DeadLetterTopic.of(producerConfig, topic -> topic + \".dead\")");
            }
            return deadLetters;
        }

        private String scope() {
            if (scope != null) {
                return scope;
            }
            Object group = config.get(ConsumerConfig.GROUP_ID_CONFIG);
            if (group == null) {
                throw new IllegalStateException("a consumer needs the property " + ConsumerConfig.GROUP_ID_CONFIG);
            }
            return group.toString();
        }

        private Map<String, Object> checkedConfig() {
            if (topics.isEmpty()) {
                throw new IllegalStateException("a consumer needs at least one topic");
            }
            Object auto = config.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
            if (auto != null && Boolean.parseBoolean(auto.toString())) {
                throw new IllegalStateException(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG + " is " + auto
                        + ", which would commit records before their keys are settled; leave it out");
            }
            config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            return config;
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "semel-kafka-handler");
            thread.setDaemon(true);
            return thread;
        }
    }
}
