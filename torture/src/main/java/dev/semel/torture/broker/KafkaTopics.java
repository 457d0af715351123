package dev.semel.torture.broker;

import dev.semel.testservers.KafkaBroker;
import dev.semel.torture.process.DaemonThreads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A Kafka with a topic for each queue. */
public final class KafkaTopics implements Broker {

    private static final int PARTITIONS = 3;
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaBroker broker;
    private final List<MessageQueue> queues;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Admin admin;
    private volatile boolean closed;

    private KafkaTopics(KafkaBroker broker, List<MessageQueue> queues) {
        this.broker = broker;
        this.queues = queues;
        Map<String, Object> config = new HashMap<>(broker.config());
        config.put("acks", "all");
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.admin = Admin.create(broker.config());
    }

    public static KafkaTopics start(List<MessageQueue> queues) throws Exception {
        KafkaBroker broker = KafkaBroker.start();
        for (MessageQueue queue : queues) {
            broker.createTopic(queue.name(), PARTITIONS);
        }
        broker.createTopic(MessageQueue.DEAD, 1);
        return new KafkaTopics(broker, queues);
    }

    @Override
    public String address() {
        return broker.bootstrap();
    }

    /** To any partition: messages of one key are handled by several nodes at the same time. */
    @Override
    public CompletionStage<?> send(MessageQueue queue, Map<String, String> headers, byte[] body) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(queue.name(), ThreadLocalRandom.current().nextInt(PARTITIONS), null, body);
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        CompletableFuture<Object> sent = new CompletableFuture<>();
        producer.send(record, (metadata, failure) -> {
            if (failure == null) {
                sent.complete(metadata);
            } else {
                sent.completeExceptionally(failure);
            }
        });
        return sent;
    }

    @Override
    public void onDeadLetter(Consumer<DeadMessage> listener) {
        DaemonThreads.of("dead-letters", () -> receive(listener)).start();
    }

    private void receive(Consumer<DeadMessage> listener) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(broker.config(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(MessageQueue.DEAD, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    Map<String, String> headers = new HashMap<>();
                    for (Header header : record.headers()) {
                        headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
                    }
                    listener.accept(new DeadMessage(headers, record.value()));
                }
            }
        }
    }

    @Override
    public long waiting() throws Exception {
        long waiting = 0;
        for (MessageQueue queue : queues) {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                latest.put(new TopicPartition(queue.name(), partition), OffsetSpec.latest());
            }
            Map<TopicPartition, ListOffsetsResultInfo> ends =
                    admin.listOffsets(latest).all().get();
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(queue.name())
                    .partitionsToOffsetAndMetadata()
                    .get();
            for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : ends.entrySet()) {
                OffsetAndMetadata done = committed.get(end.getKey());
                waiting += end.getValue().offset() - (done == null ? 0 : done.offset());
            }
        }
        return waiting;
    }

    @Override
    public void restart() {
        broker.restart();
    }

    @Override
    public void close() throws Exception {
        closed = true;
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
        broker.close();
    }
}
