package dev.semel.kafka;

import dev.semel.Semel;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.DeadLetter;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic, a consumer group with members that a test starts, and an engine for each of them. */
final class Group implements AutoCloseable {

    /** Short, so that no test waits long for the next try. */
    static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofMillis(50));

    final String topic;
    final String name = "group-" + UUID.randomUUID();
    final List<DeadLetter<ConsumerRecord<byte[], byte[]>>> dead = new CopyOnWriteArrayList<>();
    private final KeyStore store;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final KafkaProducer<String, String> producer;

    Group(KeyStore store, int partitions) throws Exception {
        this(store, TestKafka.newTopic(partitions));
    }

    /** Another group of the same topic. */
    Group(KeyStore store, String topic) {
        this.store = store;
        this.topic = topic;
        this.producer =
                new KafkaProducer<>(TestKafka.shared().config(), new StringSerializer(), new StringSerializer());
    }

    /** A member with an engine of its own, as in another process. */
    IdempotentConsumer.Builder<String, String> member(Policy policy) {
        return member(policy, Map.of(), new StringDeserializer());
    }

    IdempotentConsumer.Builder<String, String> member(
            Policy policy, Map<String, Object> more, Deserializer<String> values) {
        return member(engine(), policy, more, values);
    }

    /** An engine that is closed with the group, after the consumers that use it. */
    Semel engine() {
        return closedLast(Semel.builder(store).shutdownGrace(Duration.ofSeconds(1)));
    }

    /** One that looks for lapsed keys all the time. */
    Semel attentiveEngine() {
        return closedLast(
                Semel.builder(store).shutdownGrace(Duration.ofSeconds(1)).maintenanceInterval(Duration.ofMillis(100)));
    }

    private Semel closedLast(Semel.Builder builder) {
        Semel semel = builder.build();
        open.add(semel);
        return semel;
    }

    IdempotentConsumer.Builder<String, String> member(
            Semel semel, Policy policy, Map<String, Object> more, Deserializer<String> values) {
        Map<String, Object> config = new HashMap<>(TestKafka.shared().config());
        config.put("group.id", name);
        config.put("auto.offset.reset", "earliest");
        config.put("heartbeat.interval.ms", "300");
        config.put("session.timeout.ms", "6000");
        config.putAll(more);
        config.values().removeIf(value -> value == null);
        return IdempotentConsumer.builder(semel, config, new StringDeserializer(), values)
                .topics(topic)
                .policy(policy)
                .backoff(BACKOFF)
                .drain(Duration.ofMillis(200))
                .deadLetters(letter -> {
                    dead.add(letter);
                    return CompletableFuture.completedStage(null);
                });
    }

    <C extends IdempotentConsumer<?, ?>> C start(C consumer) {
        Thread thread = new Thread(consumer, "consumer");
        thread.setDaemon(true);
        thread.start();
        // Consumers are closed before the engines that they use.
        open.add(0, consumer);
        return consumer;
    }

    Future<RecordMetadata> send(int partition, String key, String value, Map<String, String> headers) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, partition, key, value);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return producer.send(record);
    }

    void send(int partition, String... values) throws Exception {
        for (String value : values) {
            send(partition, null, value, Map.of()).get();
        }
    }

    /** Where the group would go on reading. */
    long committed(int partition) throws Exception {
        try (Admin admin = Admin.create(TestKafka.shared().config())) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(name)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, partition));
            return offset == null ? 0 : offset.offset();
        }
    }

    long memberCount() throws Exception {
        return members().size();
    }

    /** Whether so many members have at least one partition each. */
    boolean hasMembersWithPartitions(int count) throws Exception {
        return members().stream()
                        .filter(member -> !member.assignment().topicPartitions().isEmpty())
                        .count()
                == count;
    }

    private Collection<MemberDescription> members() throws Exception {
        try (Admin admin = Admin.create(TestKafka.shared().config())) {
            return admin.describeConsumerGroups(List.of(name))
                    .describedGroups()
                    .get(name)
                    .get()
                    .members();
        }
    }

    /** Forgets what was committed, as long as the group has no members. */
    void rewind(int partition) throws Exception {
        try (Admin admin = Admin.create(TestKafka.shared().config())) {
            admin.alterConsumerGroupOffsets(
                            name, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(0)))
                    .all()
                    .get();
        }
    }

    /** All records of a topic of one partition. */
    static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                TestKafka.shared().config(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            long end = reader.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (reader.position(partition) < end) {
                reader.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        producer.close();
    }
}
