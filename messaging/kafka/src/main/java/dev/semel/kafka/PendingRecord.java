package dev.semel.kafka;

import dev.semel.Key;
import dev.semel.messaging.HandlerChain;
import dev.semel.messaging.MessageGuard;
import dev.semel.messaging.MessageVerdict;
import dev.semel.messaging.Turn;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/** A record in the hands of its {@link PartitionLane}, which guards all that changes here. */
final class PendingRecord<K, V> {

    private static final Duration ANY_TIME = Duration.ofDays(1);

    final ConsumerRecord<byte[], byte[]> raw;
    private final Supplier<ReadResult<K, V>> reader;
    private volatile ReadResult<K, V> reading;

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
    /** Why it is dead, if the dead letters have not taken it yet. */
    MessageVerdict.@Nullable Dead dead;

    int tries;

    /**
     * Makes an entry.
     *
     * @param reader reads the record again, if it could not be read yet
     */
    PendingRecord(ConsumerRecord<byte[], byte[]> raw, ReadResult<K, V> reading, Supplier<ReadResult<K, V>> reader) {
        this.raw = raw;
        this.reading = reading;
        this.reader = reader;
    }

    Key key() {
        return reading.key();
    }

    boolean isReadable() {
        return !(reading instanceof ReadResult.NotYet<K, V>);
    }

    /** The record for a transaction with others, or nothing if it cannot be read. */
    MessageGuard.@Nullable KeyedMessage<ConsumerRecord<K, V>> keyed() {
        return reading instanceof ReadResult.Read<K, V> read
                ? new MessageGuard.KeyedMessage<>(read.key(), read.fingerprint(), read.record())
                : null;
    }

    CompletionStage<MessageVerdict> offer(LaneRules<K, V> rules, Runnable ran, @Nullable HandlerChain chain) {
        if (isReadable()) {
            return offerAsRead(rules, ran, chain);
        }
        try {
            return CompletableFuture.supplyAsync(reader, rules.executor()).thenCompose(read -> {
                reading = read;
                return offerAsRead(rules, ran, chain);
            });
        } catch (RuntimeException full) {
            return CompletableFuture.completedStage(
                    new MessageVerdict.Again(MessageVerdict.Cause.NOT_STARTED, ANY_TIME, full));
        }
    }

    private CompletionStage<MessageVerdict> offerAsRead(
            LaneRules<K, V> rules, Runnable ran, @Nullable HandlerChain chain) {
        if (reading instanceof ReadResult.Read<K, V> read) {
            return rules.guard().offer(read.key(), read.fingerprint(), read.record(), new Turn(turn, ran, chain));
        }
        if (reading instanceof ReadResult.Unreadable<K, V> unreadable) {
            return rules.guard().unreadable(unreadable.key(), unreadable.fingerprint(), unreadable.why());
        }
        return CompletableFuture.completedStage(new MessageVerdict.Again(
                MessageVerdict.Cause.NOT_READ, ANY_TIME, ((ReadResult.NotYet<K, V>) reading).failure()));
    }

    OffsetAndMetadata next() {
        return new OffsetAndMetadata(raw.offset() + 1, raw.leaderEpoch(), "");
    }

    @Override
    public String toString() {
        return raw.topic() + "-" + raw.partition() + "@" + raw.offset() + " (key " + key() + ")";
    }
}
