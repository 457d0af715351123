package dev.semel.kafka;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageRejectedException;
import dev.semel.messaging.Turn;
import dev.semel.messaging.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/** A record in the hands of its {@link Lane}, which guards all that changes here. */
final class Entry<K, V> {

    final ConsumerRecord<byte[], byte[]> raw;
    final Key key;
    private final Fingerprint fingerprint;
    private final @Nullable ConsumerRecord<K, V> record;
    private @Nullable MessageRejectedException rejection;

    /** Completes when the handler may run. */
    CompletableFuture<Void> turn = new CompletableFuture<>();

    /** Completes when there is nothing more to wait for, whether the key is settled or not. */
    final CompletableFuture<Void> finished = new CompletableFuture<>();

    boolean started;
    /** The handler has ended well, and that is being stored. */
    boolean ran;

    boolean settled;
    /** Was claimed ahead of its turn, and has to give the key back. */
    boolean recalled;
    /** Is between two tries. */
    boolean waiting;

    int tries;
    int refusals;

    private Entry(
            ConsumerRecord<byte[], byte[]> raw,
            Key key,
            Fingerprint fingerprint,
            @Nullable ConsumerRecord<K, V> record,
            @Nullable MessageRejectedException rejection) {
        this.raw = raw;
        this.key = key;
        this.fingerprint = fingerprint;
        this.record = record;
        this.rejection = rejection;
    }

    static <K, V> Entry<K, V> of(
            ConsumerRecord<byte[], byte[]> raw, Key key, Fingerprint fingerprint, ConsumerRecord<K, V> record) {
        return new Entry<>(raw, key, fingerprint, record, null);
    }

    static <K, V> Entry<K, V> rejected(
            ConsumerRecord<byte[], byte[]> raw, Key key, Fingerprint fingerprint, MessageRejectedException why) {
        return new Entry<>(raw, key, fingerprint, null, why);
    }

    void giveUp(@Nullable Throwable failure) {
        rejection =
                new MessageRejectedException("given up after " + refusals + " tries, the last: " + failure, failure);
    }

    /** What its handler has rejected is not handled again. */
    void heed(@Nullable MessageRejectedException why) {
        if (why != null) {
            rejection = why;
        }
    }

    CompletionStage<Verdict> offer(MessageGuard<ConsumerRecord<K, V>> guard, Runnable ran) {
        return rejection != null || record == null
                ? guard.reject(key, fingerprint, rejectionOrBug())
                : guard.offer(key, fingerprint, record, new Turn(turn, ran));
    }

    private MessageRejectedException rejectionOrBug() {
        return rejection == null ? new MessageRejectedException("the record was not read", null) : rejection;
    }

    OffsetAndMetadata next() {
        return new OffsetAndMetadata(raw.offset() + 1, raw.leaderEpoch(), "");
    }

    @Override
    public String toString() {
        return raw.topic() + "-" + raw.partition() + "@" + raw.offset() + " (key " + key + ")";
    }
}
