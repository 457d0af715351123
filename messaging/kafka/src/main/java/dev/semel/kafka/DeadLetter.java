package dev.semel.kafka;

import dev.semel.KeyDigest;
import dev.semel.messaging.Verdict;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record that will never be handled, and why.
 *
 * @param record the record as it was read, byte for byte
 * @param digest the name of its key in the store
 * @param type the class name of the exception that says why
 */
public record DeadLetter(
        ConsumerRecord<byte[], byte[]> record,
        String operation,
        KeyDigest digest,
        Verdict.Reason reason,
        String type,
        String message) {}
