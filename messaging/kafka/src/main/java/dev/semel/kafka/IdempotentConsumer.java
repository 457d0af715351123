package dev.semel.kafka;

import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.messaging.AsyncMessageHandler;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.ConsumerBuilder;
import dev.semel.messaging.ConsumerSettings;
import dev.semel.messaging.HandlerThreads;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.PassingFailures;
import dev.semel.messaging.TransactionalMessageHandler;
import dev.semel.util.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a consumer group that acts once on each record, even if it is delivered again.
 *
 * <p>Each record runs under a key. Its offset is committed only when its key and those of all earlier records are
 * settled. A record whose key is in flight elsewhere holds its partition back until the key is settled; one whose
 * stored outcome is a failure goes to the dead letters.
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
    private final HandlerThreads handlers;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopping;

    private IdempotentConsumer(Builder<K, V> builder, Handling<ConsumerRecord<K, V>> handling) {
        Map<String, Object> config = builder.checkedConfig();
        ConsumerSettings<ConsumerRecord<byte[], byte[]>> settings = builder.settings();
        this.topics = builder.topics;
        this.reader = new RecordReader<>(
                builder.keyDeserializer,
                builder.valueDeserializer,
                builder.extractor,
                settings.namespace(),
                settings.scope(),
                builder.passing,
                new ReentrantLock());
        this.handlers = settings.handlers();
        LaneRules<K, V> rules = new LaneRules<>(
                settings.guard(handling),
                settings.deadLetters(),
                settings.operation(),
                builder.ordered,
                settings.inFlight(),
                settings.backoff(),
                handlers,
                failure -> broken.compareAndSet(null, failure));
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.assignment = new Assignment<>(consumer, rules, settings.drain());
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

    /** Polls until {@link #close}, or until something fails that no retry can fix. Can be called once. */
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
                    assignment.add(partition, reader.readAll(polled.records(partition)));
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
            handlers.close();
            ended.countDown();
        }
    }

    /** Starts no more handlers, waits a while for running ones, commits, leaves the group, and ends {@link #run}. */
    @Override
    public void close() {
        stopping = true;
        if (started.compareAndSet(false, true)) {
            free();
        }
        Threads.awaitUninterrupted(ended::await);
    }

    /** Builds an {@link IdempotentConsumer}. */
    public static final class Builder<K, V> extends ConsumerBuilder<Builder<K, V>, ConsumerRecord<byte[], byte[]>> {

        private final Map<String, Object> config;
        private final Deserializer<K> keyDeserializer;
        private final Deserializer<V> valueDeserializer;
        private List<String> topics = List.of();
        private KeyExtractor<K, V> extractor = KeyExtractor.position();
        private Predicate<Throwable> passing =
                failure -> PassingFailures.include(failure, List.of(RetriableException.class));
        private boolean ordered = true;

        private Builder(
                Semel semel,
                Map<String, ?> config,
                Deserializer<K> keyDeserializer,
                Deserializer<V> valueDeserializer) {
            super(semel, 64, Backoff.DEFAULT);
            this.config = new HashMap<>(config);
            this.keyDeserializer = keyDeserializer;
            this.valueDeserializer = valueDeserializer;
        }

        @Override
        protected Builder<K, V> self() {
            return this;
        }

        public Builder<K, V> topics(String... names) {
            this.topics = List.of(names);
            return this;
        }

        /** Finds the key of a record; by default its topic, partition and offset. */
        public Builder<K, V> key(KeyExtractor<K, V> extractor) {
            this.extractor = extractor;
            return this;
        }

        /**
         * Which deserialiser failures are temporary, so that the record is read again with growing pauses; after any other
         * failure the record goes to the dead letters. By default network failures, time-outs and Kafka's retriable
         * exceptions, anywhere in the cause chain.
         */
        public Builder<K, V> readAgainAfter(Predicate<Throwable> failures) {
            this.passing = failures;
            return this;
        }

        /** Handles the records of a partition in any order and at the same time, as far as {@link #inFlight} allows. */
        public Builder<K, V> unordered() {
            this.ordered = false;
            return this;
        }

        /**
         * How many records of a partition may have their keys claimed at the same time; 64 by default. In order, keys
         * are claimed ahead only if the policy's recovery is {@code RE_EXECUTE}. With 1, each record has its own
         * transaction.
         */
        @Override
        public Builder<K, V> inFlight(int records) {
            return super.inFlight(records);
        }

        public IdempotentConsumer<K, V> handle(MessageHandler<ConsumerRecord<K, V>> handler) {
            return new IdempotentConsumer<>(this, Handling.blocking(handler));
        }

        public IdempotentConsumer<K, V> handleAsync(AsyncMessageHandler<ConsumerRecord<K, V>> handler) {
            return new IdempotentConsumer<>(this, Handling.async(handler));
        }

        /**
         * Handles each record in a transaction that carries the settle: exactly once for everything in that database. Where
         * the transactions allow savepoints and the store is in PostgreSQL, records that were polled together share one.
         */
        public <C> IdempotentConsumer<K, V> handleIn(
                TransactionRunner<C> transactions, TransactionalMessageHandler<ConsumerRecord<K, V>, C> handler) {
            return new IdempotentConsumer<>(this, Handling.in(transactions, handler));
        }

        private ConsumerSettings<ConsumerRecord<byte[], byte[]>> settings() {
            return settings(
                    "kafka",
                    String.valueOf(config.get(ConsumerConfig.GROUP_ID_CONFIG)),
                    "DeadLetterTopic.of(producerConfig, topic -> topic + \".dead\")");
        }

        private Map<String, Object> checkedConfig() {
            if (topics.isEmpty()) {
                throw new IllegalStateException("a consumer needs at least one topic");
            }
            if (config.get(ConsumerConfig.GROUP_ID_CONFIG) == null) {
                throw new IllegalStateException("a consumer needs the property " + ConsumerConfig.GROUP_ID_CONFIG);
            }
            Object auto = config.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
            if (auto != null && Boolean.parseBoolean(auto.toString())) {
                throw new IllegalStateException(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG + " is " + auto
                        + ", which would commit records before their keys are settled; leave it out");
            }
            config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            return config;
        }
    }
}
