package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Waits until replicas have what was written over a connection ({@code WAIT}).
 *
 * <p>Redis confirms what it was sent over the same connection only: over a new one it has nothing to wait for, and says that
 * all is well. So nothing counts that was under way when the connection broke.
 */
record Replication(int replicas, Duration timeout, Map<StatefulRedisConnection<byte[], byte[]>, AtomicInteger> breaks) {

    Replication(int replicas, Duration timeout) {
        this(replicas, timeout, new ConcurrentHashMap<>());
    }

    /** Makes a call over this connection, and completes when what it wrote is replicated. */
    <T> CompletionStage<T> confirm(
            StatefulRedisConnection<byte[], byte[]> connection, Supplier<CompletionStage<T>> call) {
        AtomicInteger broken = breaks.computeIfAbsent(connection, Replication::watch);
        int before = broken.get();
        return call.get()
                .thenCompose(answer -> connection
                        .async()
                        .waitForReplication(replicas, timeout.toMillis())
                        .thenApply(reached -> {
                            requireConfirmed(reached, broken.get() == before);
                            return answer;
                        }));
    }

    private void requireConfirmed(long reached, boolean whole) {
        if (!whole) {
            throw new StoreUnavailableException(
                    "the connection to Redis broke before the replicas had confirmed the write; the same call can be"
                            + " sent again",
                    null);
        }
        if (reached < replicas) {
            throw new StoreUnavailableException(
                    "only " + reached + " of " + replicas + " replicas of Redis confirmed the write within " + timeout
                            + "; it stands on the master, and the same call can be sent again",
                    null);
        }
    }

    private static AtomicInteger watch(StatefulRedisConnection<byte[], byte[]> connection) {
        AtomicInteger count = new AtomicInteger();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                count.incrementAndGet();
            }
        });
        return count;
    }
}
