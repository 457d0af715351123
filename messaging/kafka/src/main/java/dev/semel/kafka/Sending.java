package dev.semel.kafka;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends records. */
final class Sending {

    private Sending() {}

    /** Completes when the brokers have the record. */
    static CompletableFuture<Void> send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        producer.send(record, (metadata, failure) -> {
            if (failure == null) {
                sent.complete(null);
            } else {
                sent.completeExceptionally(failure);
            }
        });
        return sent;
    }
}
