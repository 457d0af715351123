package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.kafka.DeadLetterTopic;
import dev.semel.kafka.IdempotentConsumer;
import dev.semel.kafka.KeyExtractor;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Ships orders: the shipment and the settle of the message's key are one transaction. */
final class Shipping {

    private static final TransactionalPolicy POLICY =
            Policy.transactional("ship").lease(Duration.ofSeconds(2)).build();

    private Shipping() {}

    /**
     * @param registry a file that simulates a schema registry, which is down while the file does not exist; {@code
     * null} for no registry
     */
    static IdempotentConsumer<String, String> consumer(HikariDataSource pool, String kafka, @Nullable Path registry) {
        Semel semel =
                Semel.builder(JdbcKeyStore.builder(pool).build()).policy(POLICY).build();
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                kafka,
                "group.id",
                "shipping",
                "auto.offset.reset",
                "earliest",
                "session.timeout.ms",
                "6000");
        return IdempotentConsumer.builder(semel, config, new StringDeserializer(), values(registry))
                .topics("orders")
                .key(KeyExtractor.header(KeyExtractor.HEADER))
                .policy(POLICY)
                .deadLetters(DeadLetterTopic.of(Map.of("bootstrap.servers", kafka), topic -> topic + ".dead"))
                .handleIn(JdbcTransactions.of(pool), (record, attempt, connection) -> ship(connection, record.value()));
    }

    private static Deserializer<String> values(@Nullable Path registry) {
        Deserializer<String> text = new StringDeserializer();
        return (topic, bytes) -> {
            if (registry != null && !Files.exists(registry)) {
                throw new SerializationException("the schema registry is away", new ConnectException());
            }
            return text.deserialize(topic, bytes);
        };
    }

    private static void ship(Connection connection, String message) throws SQLException {
        String[] parts = message.split(" ");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO shipment (placed_order, cents) VALUES (?, ?)")) {
            insert.setLong(1, Long.parseLong(parts[0]));
            insert.setLong(2, Long.parseLong(parts[1]));
            insert.executeUpdate();
        }
    }
}
