package dev.semel.kafka;

import dev.semel.testservers.KafkaBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** The Kafka broker that the tests of this module share. */
final class TestKafka {

    private static final AtomicInteger TOPICS = new AtomicInteger();

    private TestKafka() {}

    private static final class Shared {

        static final KafkaBroker BROKER = start();

        private static KafkaBroker start() {
            try {
                KafkaBroker broker = KafkaBroker.start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> close(broker)));
                return broker;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static void close(KafkaBroker broker) {
            try {
                broker.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static KafkaBroker shared() {
        return Shared.BROKER;
    }

    /** A new topic with that many partitions. */
    static String newTopic(int partitions) throws Exception {
        String topic = "topic-" + TOPICS.incrementAndGet();
        shared().createTopic(topic, partitions);
        return topic;
    }
}
