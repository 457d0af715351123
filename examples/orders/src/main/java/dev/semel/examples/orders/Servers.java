package dev.semel.examples.orders;

import dev.semel.testservers.KafkaBroker;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** Starts a PostgreSQL and a Kafka for the example, so that it starts with one command. */
record Servers(EmbeddedPostgres postgres, KafkaBroker broker) implements AutoCloseable {

    static Servers start() throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                // Both are off by default in the embedded server, which could then lose acknowledged writes.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        KafkaBroker kafka = KafkaBroker.start();
        kafka.createTopic("orders", 4);
        kafka.createTopic("orders.dead", 1);
        return new Servers(postgres, kafka);
    }

    String database() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    String kafka() {
        return broker.bootstrap();
    }

    @Override
    public void close() throws IOException {
        broker.close();
        postgres.close();
    }
}
