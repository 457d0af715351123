package dev.semel.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.messaging.MessageRejectedException;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Makes of the bytes of a record what the handler takes, or says that they cannot be read. */
record RecordReader<K, V>(
        Deserializer<K> keys, Deserializer<V> values, KeyExtractor<K, V> extractor, Namespace namespace, String scope) {

    private static final byte[] ABSENT = {0};
    private static final byte[] PRESENT = {1};

    Entry<K, V> read(ConsumerRecord<byte[], byte[]> raw) {
        Fingerprint fingerprint = fingerprint(raw);
        try {
            ConsumerRecord<K, V> record = deserialize(raw);
            Optional<String> value = extractor.keyOf(record);
            if (value.isPresent()) {
                return Entry.of(raw, namespace.key(scope, value.get()), fingerprint, record);
            }
            return unreadable(
                    raw, fingerprint, new MessageRejectedException("the record has no idempotency key", null));
        } catch (RuntimeException e) {
            return unreadable(raw, fingerprint, new MessageRejectedException("the record cannot be read: " + e, e));
        }
    }

    /** Its place is all that such a record can be named by. */
    private Entry<K, V> unreadable(
            ConsumerRecord<byte[], byte[]> raw, Fingerprint fingerprint, MessageRejectedException why) {
        Key key = namespace.key(scope, KeyExtractor.Position.of(raw));
        return Entry.rejected(raw, key, fingerprint, why);
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
