package dev.semel.examples.orders;

import dev.semel.testservers.KafkaBroker;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A PostgreSQL and a Kafka of the example's own, so that it starts with one command. */
record Servers(EmbeddedPostgres postgres, KafkaBroker broker) implements AutoCloseable {

    static Servers start() throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                // It comes with both off, and would forget what it has promised to keep.
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
