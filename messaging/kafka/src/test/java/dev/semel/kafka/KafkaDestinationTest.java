package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.outbox.Delivery;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.UndeliverableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What a Kafka destination sends, and what it makes of the answer. */
class KafkaDestinationTest {

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaDestination destination = KafkaDestination.of(producer, "orders");

    private CompletableFuture<?> deliver() {
        OutboxMessage message = OutboxMessage.of("kafka", "body")
                .withAggregate("order-7")
                .withKey("k-1")
                .withContentType("text/plain")
                .withHeader("trace", "t1");
        return destination.deliver(Delivery.of(1, message, 1, Duration.ZERO)).toCompletableFuture();
    }

    @Test
    void sendsTheAggregateAsKeyAndTheIdempotencyKeyAsHeader() {
        CompletableFuture<?> sent = deliver();
        assertThat(sent).isNotDone();
        producer.completeNext();

        assertThat(sent).isCompleted();
        ProducerRecord<byte[], byte[]> record = producer.history().get(0);
        assertThat(record.topic()).isEqualTo("orders");
        assertThat(record.key()).asString().isEqualTo("order-7");
        assertThat(record.value()).asString().isEqualTo("body");
        Map<String, String> headers = new HashMap<>();
        record.headers().forEach(each -> headers.put(each.key(), new String(each.value(), StandardCharsets.UTF_8)));
        assertThat(headers).isEqualTo(Map.of("Idempotency-Key", "k-1", "content-type", "text/plain", "trace", "t1"));
    }

    @Test
    void givesUpWhatIsTooLargeAndNothingElse() {
        CompletableFuture<?> tooLarge = deliver();
        producer.errorNext(new RecordTooLargeException("too large"));
        CompletableFuture<?> late = deliver();
        producer.errorNext(new TimeoutException("late"));

        assertThatThrownBy(tooLarge::join).cause().isInstanceOf(UndeliverableException.class);
        assertThatThrownBy(late::join).cause().isInstanceOf(TimeoutException.class);
    }
}
