package dev.semel.kafka;

import dev.semel.messaging.DeadLetter;
import dev.semel.messaging.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends dead records to a topic, byte for byte and with their headers, to which it adds {@code semel-reason},
 * {@code semel-exception}, {@code semel-message}, {@code semel-operation}, {@code semel-key} (the digest),
 * {@code semel-topic}, {@code semel-partition} and {@code semel-offset}.
 */
public final class DeadLetterTopic implements DeadLetters<ConsumerRecord<byte[], byte[]>>, AutoCloseable {

    private final Producer<byte[], byte[]> producer;
    private final UnaryOperator<String> topics;

    private DeadLetterTopic(Producer<byte[], byte[]> producer, UnaryOperator<String> topics) {
        this.producer = producer;
        this.topics = topics;
    }

    /** Creates its own producer, and sends to the topic that the function returns for the topic of the record. */
    public static DeadLetterTopic of(Map<String, ?> producerConfig, UnaryOperator<String> topics) {
        Map<String, Object> config = new HashMap<>(producerConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        return new DeadLetterTopic(
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()), topics);
    }

    @Override
    public CompletionStage<?> send(DeadLetter<ConsumerRecord<byte[], byte[]>> letter) {
        ConsumerRecord<byte[], byte[]> record = letter.message();
        ProducerRecord<byte[], byte[]> copy =
                new ProducerRecord<>(topics.apply(record.topic()), null, record.key(), record.value());
        Headers headers = copy.headers();
        record.headers().forEach(headers::add);
        put(headers, "semel-reason", letter.reason().name());
        put(headers, "semel-exception", letter.type());
        put(headers, "semel-message", letter.text());
        put(headers, "semel-operation", letter.operation());
        put(headers, "semel-key", letter.digest().toString());
        put(headers, "semel-topic", record.topic());
        put(headers, "semel-partition", Integer.toString(record.partition()));
        put(headers, "semel-offset", Long.toString(record.offset()));
        return Sending.send(producer, copy);
    }

    /** A record that is dead for the second time says why it is so now. */
    private static void put(Headers headers, String name, String value) {
        headers.remove(name);
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        producer.close();
    }
}
