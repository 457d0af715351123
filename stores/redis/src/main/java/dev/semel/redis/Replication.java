package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Waits until replicas have what was written over a connection ({@code WAIT}).
 *
 * <p>A wait holds up the connection, so there is one at a time on each; whoever comes while it lasts shares the next.
 */
final class Replication {

    private final int replicas;
    private final Duration timeout;
    private final Map<RedisClusterAsyncCommands<byte[], byte[]>, Lane> lanes = new ConcurrentHashMap<>();

    Replication(int replicas, Duration timeout) {
        this.replicas = replicas;
        this.timeout = timeout;
    }

    /** Completes when everything that was answered over this connection before this call is replicated. */
    CompletionStage<Void> confirm(RedisClusterAsyncCommands<byte[], byte[]> connection) {
        return lanes.computeIfAbsent(connection, Lane::new).join();
    }

    private final class Lane {

        private final RedisClusterAsyncCommands<byte[], byte[]> connection;
        private @Nullable CompletableFuture<Void> next;
        private boolean waiting;

        Lane(RedisClusterAsyncCommands<byte[], byte[]> connection) {
            this.connection = connection;
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
            connection.waitForReplication(replicas, timeout.toMillis()).whenComplete((reached, failure) -> {
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
