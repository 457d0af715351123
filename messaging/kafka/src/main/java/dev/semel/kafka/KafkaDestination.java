package dev.semel.kafka;

import dev.semel.outbox.Delivery;
import dev.semel.outbox.Destination;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.UndeliverableException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages of an outbox to a topic, with the key in the header {@code Idempotency-Key}.
 *
 * <p>The aggregate is the record's key, so that the messages of an aggregate stay in order in one partition. The producer
 * should have {@code acks=all}, which is its default.
 */
public final class KafkaDestination implements Destination {

    private final Producer<byte[], byte[]> producer;
    private final String topic;

    private KafkaDestination(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    /** Sends with the given producer, which stays open. */
    public static KafkaDestination of(Producer<byte[], byte[]> producer, String topic) {
        return new KafkaDestination(producer, topic);
    }

    @Override
    public CompletionStage<?> deliver(Delivery delivery) {
        OutboxMessage message = delivery.message();
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, null, bytes(message.aggregate()), message.payload());
        message.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        if (message.contentType() != null) {
            record.headers().add("content-type", bytes(message.contentType()));
        }
        record.headers().add(Delivery.KEY_HEADER, bytes(delivery.key()));
        return Sending.send(producer, record)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        failure instanceof RecordTooLargeException || failure instanceof InvalidTopicException
                                ? new UndeliverableException(
                                        "topic " + topic + " refuses the message: " + failure, failure)
                                : failure));
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
