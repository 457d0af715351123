package dev.semel.kafka;

import dev.semel.Key;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Finds the key of a record's operation. A record without a key goes to the dead letters. */
@FunctionalInterface
public interface KeyExtractor<K, V> {

    /** The header that the outbox sends, and that consumers look for by convention. */
    String HEADER = "Idempotency-Key";

    Optional<String> keyOf(ConsumerRecord<K, V> record);

    /** Uses another extractor if this one finds no key. */
    default KeyExtractor<K, V> orElse(KeyExtractor<K, V> other) {
        return record -> keyOf(record).or(() -> other.keyOf(record));
    }

    /**
     * Topic, partition and offset. A record that is delivered again has the same key; a record that was sent again has
     * not.
     */
    static <K, V> KeyExtractor<K, V> position() {
        return record -> Optional.of(Position.of(record));
    }

    /** The value of a header, as text; the last one if there are several. */
    static <K, V> KeyExtractor<K, V> header(String name) {
        return record -> {
            Header header = record.headers().lastHeader(name);
            return header == null || header.value() == null
                    ? Optional.empty()
                    : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
        };
    }

    /** The record's own key: only for topics that hold one record for each key. Bytes are written as hexadecimal. */
    static <K, V> KeyExtractor<K, V> recordKey() {
        return record -> Optional.ofNullable(record.key())
                .map(key -> key instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : key.toString());
    }

    /** The place of a record as a key value. */
    final class Position {

        private Position() {}

        static String of(ConsumerRecord<?, ?> record) {
            // No topic has an @ in its name.
            String position = record.topic() + "-" + record.partition() + "@" + record.offset();
            return position.length() <= Key.MAX_LENGTH
                    ? position
                    : Key.deterministicValue(
                            "kafka",
                            record.topic(),
                            String.valueOf(record.partition()),
                            String.valueOf(record.offset()));
        }
    }
}
