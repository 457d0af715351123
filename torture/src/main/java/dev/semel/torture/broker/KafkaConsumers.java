package dev.semel.torture.broker;

import dev.semel.kafka.DeadLetterTopic;
import dev.semel.kafka.IdempotentConsumer;
import dev.semel.kafka.KeyExtractor;
import dev.semel.messaging.Backoff;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.ServiceRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A member of the consumer group of each topic. */
record KafkaConsumers(DeadLetterTopic dead, List<IdempotentConsumer<byte[], byte[]>> members) implements Consumers {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

    static KafkaConsumers start(String address, MessageService service) {
        DeadLetterTopic dead = DeadLetterTopic.of(Map.of("bootstrap.servers", address), topic -> MessageQueue.DEAD);
        List<IdempotentConsumer<byte[], byte[]>> members = service.queues().stream()
                .map(queue -> member(address, service, queue, dead))
                .toList();
        members.forEach(member -> DaemonThreads.of("kafka", member).start());
        return new KafkaConsumers(dead, members);
    }

    private static IdempotentConsumer<byte[], byte[]> member(
            String address, MessageService service, MessageQueue queue, DeadLetterTopic dead) {
        KeyExtractor<byte[], byte[]> sent = KeyExtractor.header(KeyExtractor.HEADER);
        IdempotentConsumer.Builder<byte[], byte[]> builder = IdempotentConsumer.builder(
                        service.semel(),
                        config(address, queue),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())
                .topics(queue.name())
                .key(record -> sent.keyOf(record).map(key -> service.key(key, place(record))))
                .backoff(BACKOFF);
        service.configured(builder, queue, dead);
        return queue.operation().isTransactional()
                ? builder.handleIn(
                        service.transactions(),
                        (record, attempt, transaction) -> service.handle(request(record), attempt, transaction))
                : builder.handle((record, attempt) -> service.handle(request(record), attempt));
    }

    private static String place(ConsumerRecord<?, ?> record) {
        return record.topic() + "-" + record.partition() + "-" + record.offset();
    }

    /** A member that died leaves soon. */
    private static Map<String, Object> config(String address, MessageQueue queue) {
        return Map.of(
                "bootstrap.servers", address,
                "group.id", queue.name(),
                "auto.offset.reset", "earliest",
                "session.timeout.ms", "1500",
                "heartbeat.interval.ms", "300");
    }

    private static ServiceRequest request(ConsumerRecord<byte[], byte[]> record) {
        return ServiceRequest.read(
                name -> new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8), record.value());
    }

    @Override
    public void close() {
        members.forEach(IdempotentConsumer::close);
        dead.close();
    }
}
