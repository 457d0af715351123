package dev.semel.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.messaging.MessageRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Deserialises the bytes of a record for the handler, or reports that they cannot be read.
 *
 * @param passing which failures of a deserialiser are temporary
 * @param lock guards the deserialisers, which are not safe for several threads
 */
record RecordReader<K, V>(
        Deserializer<K> keys,
        Deserializer<V> values,
        KeyExtractor<K, V> extractor,
        Namespace namespace,
        String scope,
        Predicate<Throwable> passing,
        Lock lock) {

    private static final byte[] ABSENT = {0};
    private static final byte[] PRESENT = {1};

    /** Reads records that were polled together, up to the first that has to wait: each could take as long as that one. */
    List<PendingRecord<K, V>> readAll(List<ConsumerRecord<byte[], byte[]>> polled) {
        List<PendingRecord<K, V>> entries = new ArrayList<>();
        boolean waits = false;
        for (ConsumerRecord<byte[], byte[]> raw : polled) {
            ReadResult<K, V> reading = waits ? new ReadResult.NotYet<>(position(raw), null) : read(raw);
            PendingRecord<K, V> entry = new PendingRecord<>(raw, reading, () -> read(raw));
            waits = !entry.isReadable();
            entries.add(entry);
        }
        return entries;
    }

    private ReadResult<K, V> read(ConsumerRecord<byte[], byte[]> raw) {
        lock.lock();
        try {
            return readAlone(raw);
        } finally {
            lock.unlock();
        }
    }

    private ReadResult<K, V> readAlone(ConsumerRecord<byte[], byte[]> raw) {
        Fingerprint fingerprint = fingerprint(raw);
        ConsumerRecord<K, V> record;
        try {
            record = deserialize(raw);
        } catch (RuntimeException e) {
            return passing.test(e)
                    ? new ReadResult.NotYet<>(position(raw), e)
                    : unreadable(raw, fingerprint, "the record cannot be read: " + e, e);
        }
        try {
            Optional<String> value = extractor.keyOf(record);
            return value.isPresent()
                    ? new ReadResult.Read<>(namespace.key(scope, value.get()), fingerprint, record)
                    : unreadable(raw, fingerprint, "the record has no idempotency key", null);
        } catch (RuntimeException e) {
            return unreadable(raw, fingerprint, "the record has no usable key: " + e, e);
        }
    }

    private ReadResult<K, V> unreadable(
            ConsumerRecord<byte[], byte[]> raw, Fingerprint fingerprint, String why, @Nullable RuntimeException cause) {
        return new ReadResult.Unreadable<>(position(raw), fingerprint, new MessageRejectedException(why, cause));
    }

    /** A record that was not read can only be named by its place. */
    private Key position(ConsumerRecord<byte[], byte[]> raw) {
        return namespace.key(scope, KeyExtractor.Position.of(raw));
    }

    private ConsumerRecord<K, V> deserialize(ConsumerRecord<byte[], byte[]> raw) {
        return new ConsumerRecord<>(
                raw.topic(),
                raw.partition(),
                raw.offset(),
                raw.timestamp(),
                raw.timestampType(),
                raw.serializedKeySize(),
                raw.serializedValueSize(),
                keys.deserialize(raw.topic(), raw.headers(), raw.key()),
                values.deserialize(raw.topic(), raw.headers(), raw.value()),
                raw.headers(),
                raw.leaderEpoch());
    }

    /** Key and value, not the headers: a record that was sent again has another trace. */
    private static Fingerprint fingerprint(ConsumerRecord<byte[], byte[]> raw) {
        return Fingerprint.of(1, presence(raw.key()), orEmpty(raw.key()), presence(raw.value()), orEmpty(raw.value()));
    }

    private static byte[] presence(byte @Nullable [] part) {
        return part == null ? ABSENT : PRESENT;
    }

    private static byte[] orEmpty(byte @Nullable [] part) {
        return part == null ? new byte[0] : part;
    }
}
