package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until replicas have what was written over a connection ({@code WAIT}).
 *
 * <p>A wait holds up the connection, so there is one at a time on each; whoever comes while it lasts shares the next.
 * Redis confirms what it was sent over the same connection only: over a new one it has nothing to wait for, and says that
 * all is well. So nothing counts that was under way when the connection broke.
 */
final class Replication {

    private final int replicas;
    private final Duration timeout;
    private final Map<StatefulRedisConnection<byte[], byte[]>, Lane> lanes = new ConcurrentHashMap<>();

    Replication(int replicas, Duration timeout) {
        this.replicas = replicas;
        this.timeout = timeout;
    }

    /** Makes a call over this connection, and completes when what it wrote is replicated. */
    <T> CompletionStage<T> confirm(
            StatefulRedisConnection<byte[], byte[]> connection, Supplier<CompletionStage<T>> call) {
        Lane lane = lanes.computeIfAbsent(connection, Lane::new);
        int breaks = lane.breaks.get();
        return call.get()
                .thenCompose(answer -> lane.join().thenApply(confirmed -> {
                    if (lane.breaks.get() != breaks) {
                        throw new StoreUnavailableException(
                                "the connection to Redis broke before the replicas had confirmed the write; the same call can"
                                        + " be sent again",
                                null);
                    }
                    return answer;
                }));
    }

    private final class Lane implements RedisConnectionStateListener {

        final AtomicInteger breaks = new AtomicInteger();
        private final RedisClusterAsyncCommands<byte[], byte[]> commands;
        private @Nullable CompletableFuture<Void> next;
        private boolean waiting;

        Lane(StatefulRedisConnection<byte[], byte[]> connection) {
            this.commands = connection.async();
            connection.addListener(this);
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            breaks.incrementAndGet();
        }

        CompletableFuture<Void> join() {
            CompletableFuture<Void> mine;
            synchronized (this) {
                mine = next == null ? new CompletableFuture<>() : next;
                next = mine;
                if (waiting) {
                    return mine;
                }
                waiting = true;
            }
            waitForReplicas();
            return mine;
        }

        private void waitForReplicas() {
            CompletableFuture<Void> batch;
            synchronized (this) {
                batch = next;
                next = null;
                if (batch == null) {
                    waiting = false;
                    return;
                }
            }
            commands.waitForReplication(replicas, timeout.toMillis()).whenComplete((reached, failure) -> {
                waitForReplicas();
                if (failure != null) {
                    batch.completeExceptionally(failure);
                } else if (reached < replicas) {
                    batch.completeExceptionally(new StoreUnavailableException(
                            "only " + reached + " of " + replicas + " replicas of Redis confirmed the write within "
                                    + timeout + "; it stands on the master, and the same call can be sent again",
                            null));
                } else {
                    batch.complete(null);
                }
            });
        }
    }
}
