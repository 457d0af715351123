package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.kafka.KafkaDestination;
import dev.semel.messaging.Backoff;
import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxRelay;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Delivers the messages of the outbox to Kafka. */
final class Relay {

    private Relay() {}

    static OutboxRelay start(HikariDataSource pool, String kafka) {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka, "linger.ms", "0"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        return Outbox.builder(pool)
                .build()
                .relay()
                .backoff(new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5)))
                .destination("orders", KafkaDestination.of(producer, "orders"))
                .start();
    }
}
