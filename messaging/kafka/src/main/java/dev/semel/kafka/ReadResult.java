package dev.semel.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.messaging.MessageRejectedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The result of reading the bytes of a record. */
sealed interface ReadResult<K, V> {

    /** Of a record that was not read, its place. */
    Key key();

    record Read<K, V>(Key key, Fingerprint fingerprint, ConsumerRecord<K, V> record) implements ReadResult<K, V> {}

    /** The deserialisers cannot read these bytes, or there is no key in them. */
    record Unreadable<K, V>(Key key, Fingerprint fingerprint, MessageRejectedException why)
            implements ReadResult<K, V> {}

    /**
     * The record was not read, for a temporary reason.
     *
     * @param failure {@code null} if it was not tried
     */
    record NotYet<K, V>(Key key, @Nullable Throwable failure) implements ReadResult<K, V> {}
}
