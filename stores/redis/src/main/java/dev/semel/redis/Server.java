package dev.semel.redis;

import dev.semel.store.StoreUnavailableException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The Redis servers behind a URL, over a few connections to each that all callers share.
 *
 * <p>Redis takes at most 16 KB at a time from a connection before it writes to the disk. Over a few connections, one
 * write to the disk does for more calls. All calls for a bucket go over the same one.
 */
abstract class Server implements AutoCloseable {

    static final int CONNECTIONS = 4;
    private static final Duration SHUTDOWN = Duration.ofSeconds(5);
    // Lettuce would wait for up to half a minute after a long outage.
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    // More than all lanes have under way, so that Lettuce has nothing to hoard.
    private static final int MOST_COMMANDS = 1 << 14;

    /** How many lanes there are: calls for buckets of the same lane may travel in one command. */
    final int lanes;

    private final AbstractRedisClient client;
    private final Map<StatefulRedisConnection<byte[], byte[]>, AtomicInteger> breaks = new ConcurrentHashMap<>();

    private Server(AbstractRedisClient client, int lanes) {
        this.client = client;
        this.lanes = lanes;
    }

    static Server connect(RedisUrl url, Duration timeout) {
        ClientResources resources = ClientResources.builder()
                .reconnectDelay(Delay.exponential(Duration.ofMillis(1), LONGEST_PAUSE, 2, TimeUnit.MILLISECONDS))
                .build();
        return url.cluster()
                ? new Cluster(RedisClusterClient.create(resources, url.nodes()), timeout)
                : new Single(RedisClient.create(resources, url.single()), url.single(), timeout);
    }

    private static <B extends ClientOptions.Builder> B options(B builder, Duration timeout) {
        builder.requestQueueSize(MOST_COMMANDS).timeoutOptions(TimeoutOptions.enabled(timeout));
        return builder;
    }

    final <K> List<K> open(Supplier<K> connection) {
        List<K> connections = new CopyOnWriteArrayList<>();
        try {
            while (connections.size() < CONNECTIONS) {
                connections.add(connection.get());
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return connections;
    }

    /** Whether there is a connection for this bucket now, as far as that is known. */
    boolean isConnected(int bucket) {
        return true;
    }

    /** Opens another connection for this bucket in place of one that is silent, if it still is when there is another one. */
    void replaceConnection(int bucket, BooleanSupplier silent) {}

    /** Commands on keys of this bucket, which find the right server by their key. */
    abstract RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket);

    /** The connection to the server that is the master of this bucket now. */
    abstract CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket);

    /** Commands of each master. */
    abstract CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters();

    /**
     * Makes a call over a connection to a master, and completes when replicas have what it wrote ({@code WAIT}).
     *
     * <p>Redis confirms what it was sent over the same connection only: over a new one it has nothing to wait for, and says
     * that all is well. So nothing counts that was under way when the connection broke.
     */
    final <T> CompletionStage<T> confirmed(
            StatefulRedisConnection<byte[], byte[]> master,
            int replicas,
            Duration timeout,
            Supplier<CompletionStage<T>> call) {
        AtomicInteger broken = breaks.computeIfAbsent(master, Server::countBreaks);
        int before = broken.get();
        return call.get()
                .thenCompose(answer -> master.async()
                        .waitForReplication(replicas, timeout.toMillis())
                        .thenApply(reached -> {
                            requireConfirmed(broken.get() == before, reached, replicas, timeout);
                            return answer;
                        }));
    }

    private static void requireConfirmed(boolean whole, long reached, int replicas, Duration timeout) {
        if (!whole || reached < replicas) {
            String reason = whole
                    ? "only " + reached + " of " + replicas + " replicas of Redis confirmed the write within " + timeout
                            + "; the master has it"
                    : "the connection to Redis broke before the replicas had confirmed the write";
            throw new StoreUnavailableException(reason + ", and the same call can be sent again", null);
        }
    }

    private static AtomicInteger countBreaks(StatefulRedisConnection<byte[], byte[]> connection) {
        AtomicInteger count = new AtomicInteger();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                count.incrementAndGet();
            }
        });
        return count;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, SHUTDOWN);
        client.getResources()
                .shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(SHUTDOWN.toMillis());
    }

    /** The master: the given server, or the one that Sentinel names. */
    private static final class Single extends Server {

        private final RedisClient client;
        private final RedisURI uri;
        private final List<StatefulRedisConnection<byte[], byte[]>> connections;
        private final Set<Integer> replacing = ConcurrentHashMap.newKeySet();

        Single(RedisClient client, RedisURI uri, Duration timeout) {
            super(client, CONNECTIONS);
            this.client = client;
            this.uri = uri;
            // What is under way when a connection breaks fails, and Lettuce sends none of it again: its caller decides.
            client.setOptions(options(ClientOptions.builder(), timeout)
                    .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                    .build());
            connections = open(() -> client.connect(ByteArrayCodec.INSTANCE));
        }

        @Override
        boolean isConnected(int bucket) {
            return connection(bucket).isOpen();
        }

        /** A firewall that has forgotten a connection does not say so, and TCP takes a quarter of an hour to find out. */
        @Override
        void replaceConnection(int bucket, BooleanSupplier silent) {
            int index = bucket % CONNECTIONS;
            if (!replacing.add(index)) {
                return;
            }
            client.connectAsync(ByteArrayCodec.INSTANCE, uri).whenComplete((connection, failure) -> {
                if (connection != null) {
                    (silent.getAsBoolean() ? connections.set(index, connection) : connection).closeAsync();
                }
                replacing.remove(index);
            });
        }

        private StatefulRedisConnection<byte[], byte[]> connection(int bucket) {
            return connections.get(bucket % CONNECTIONS);
        }

        @Override
        RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket) {
            return connection(bucket).async();
        }

        @Override
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket) {
            return CompletableFuture.completedFuture(connection(bucket));
        }

        @Override
        CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters() {
            return CompletableFuture.completedFuture(List.of(commands(0)));
        }
    }

    /** The masters of a Redis Cluster. Lettuce looks after the connections to its nodes, and replaces them. */
    private static final class Cluster extends Server {

        private final List<StatefulRedisClusterConnection<byte[], byte[]>> connections;

        @SuppressWarnings("deprecation") // Lettuce 6, which Spring Boot 3 brings, enables no trigger by itself.
        Cluster(RedisClusterClient client, Duration timeout) {
            // A command may only have keys of one slot.
            super(client, Names.BUCKETS);
            // A connection to a node is opened when it is first needed, and calls wait for it in Lettuce: one that has
            // timed out meanwhile is not sent any more.
            client.setOptions(options(ClusterClientOptions.builder(), timeout)
                    .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .enableAllAdaptiveRefreshTriggers()
                            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                            .enablePeriodicRefresh(Duration.ofSeconds(10))
                            .build())
                    .build());
            connections = open(() -> client.connect(ByteArrayCodec.INSTANCE));
        }

        @Override
        RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket) {
            return connections.get(bucket % CONNECTIONS).async();
        }

        @Override
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket) {
            StatefulRedisClusterConnection<byte[], byte[]> connection = connections.get(bucket % CONNECTIONS);
            int slot = Names.slotOf(bucket);
            RedisClusterNode master = connection.getPartitions().getMasterBySlot(slot);
            return master == null
                    ? CompletableFuture.failedFuture(new StoreUnavailableException(
                            "no server of the Redis Cluster has slot " + slot + " now", null))
                    : connection.getConnectionAsync(master.getNodeId());
        }

        @Override
        CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters() {
            StatefulRedisClusterConnection<byte[], byte[]> connection = connections.get(0);
            return Stages.all(connection.getPartitions().stream()
                    .filter(node ->
                            node.getRole().isUpstream() && !node.getSlots().isEmpty())
                    .map(node -> connection
                            .getConnectionAsync(node.getNodeId())
                            .<RedisClusterAsyncCommands<byte[], byte[]>>thenApply(StatefulRedisConnection::async))
                    .toList());
        }
    }
}
