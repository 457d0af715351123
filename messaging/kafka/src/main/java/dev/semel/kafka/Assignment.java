package dev.semel.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of this member of the group, with a lane each. Used only by the polling thread.
 *
 * <p>A commit that fails is not a problem of correctness: records that are delivered again find their keys settled.
 */
final class Assignment<K, V> implements ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(Assignment.class);
    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);

    /** While there is more to handle. Whatever is delivered again finds its key settled. */
    private static final Duration COMMIT_EVERY = Duration.ofMillis(100);

    private final Consumer<byte[], byte[]> consumer;
    private final LaneRules<K, V> rules;
    private final Duration drain;
    private final Map<TopicPartition, PartitionLane<K, V>> lanes = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private boolean committing;
    private long committedAt = System.nanoTime() - COMMIT_EVERY.toNanos();

    Assignment(Consumer<byte[], byte[]> consumer, LaneRules<K, V> rules, Duration drain) {
        this.consumer = consumer;
        this.rules = rules;
        this.drain = drain;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> lanes.put(partition, new PartitionLane<>(rules)));
    }

    /** The partitions still belong to this member: what has been settled can be committed. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            PartitionLane<K, V> lane = lanes.get(partition);
            if (lane != null) {
                running.add(lane.close());
            }
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, drain.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        collect();
        Map<TopicPartition, OffsetAndMetadata> last = new HashMap<>(uncommitted);
        last.keySet().retainAll(partitions);
        forget(partitions);
        if (!last.isEmpty()) {
            try {
                consumer.commitSync(last, COMMIT_TIMEOUT);
            } catch (KafkaException e) {
                LOG.info("{} could not be committed, and will be delivered again", last, e);
            }
        }
    }

    /** Another member may have the partitions already: what is still running settles its keys, and nothing more. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            PartitionLane<K, V> lane = lanes.get(partition);
            if (lane != null) {
                lane.close();
            }
        }
        forget(partitions);
    }

    private void forget(Collection<TopicPartition> partitions) {
        lanes.keySet().removeAll(partitions);
        uncommitted.keySet().removeAll(partitions);
    }

    void add(TopicPartition partition, List<PendingRecord<K, V>> entries) {
        PartitionLane<K, V> lane = lanes.get(partition);
        if (lane == null) {
            throw new IllegalStateException("records of " + partition + " were polled, which is not assigned");
        }
        lane.add(entries);
    }

    boolean isIdle() {
        return lanes.values().stream().allMatch(PartitionLane::isIdle);
    }

    /** Commits what has been settled since, one request at a time. */
    void commit() {
        collect();
        boolean soon = System.nanoTime() - committedAt < COMMIT_EVERY.toNanos();
        if (committing || uncommitted.isEmpty() || (soon && !isIdle())) {
            return;
        }
        committedAt = System.nanoTime();
        Map<TopicPartition, OffsetAndMetadata> sent = new HashMap<>(uncommitted);
        Map<TopicPartition, PartitionLane<K, V>> sentBy = new HashMap<>(lanes);
        uncommitted.clear();
        committing = true;
        consumer.commitAsync(sent, (offsets, failure) -> {
            committing = false;
            if (failure != null) {
                LOG.info("{} could not be committed yet", sent, failure);
                // A partition that was away in between may have been committed further by another member.
                sent.keySet().removeIf(partition -> lanes.get(partition) != sentBy.get(partition));
                sent.forEach(uncommitted::putIfAbsent);
            }
        });
    }

    private void collect() {
        lanes.forEach((partition, lane) -> {
            OffsetAndMetadata next = lane.settledUpTo();
            if (next != null) {
                uncommitted.put(partition, next);
            }
        });
    }

    /** Pauses partitions that have enough records or have to wait. */
    void throttle() {
        Set<TopicPartition> full = new HashSet<>();
        Set<TopicPartition> free = new HashSet<>();
        lanes.forEach((partition, lane) -> (lane.isFull() ? full : free).add(partition));
        Set<TopicPartition> paused = consumer.paused();
        full.removeAll(paused);
        free.retainAll(paused);
        if (!full.isEmpty()) {
            consumer.pause(full);
        }
        if (!free.isEmpty()) {
            consumer.resume(free);
        }
    }

    void close() {
        onPartitionsRevoked(new ArrayList<>(lanes.keySet()));
    }
}
