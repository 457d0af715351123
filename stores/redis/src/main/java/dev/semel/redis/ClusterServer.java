package dev.semel.redis;

import dev.semel.StoreUnavailableException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** The masters of a Redis Cluster. */
final class ClusterServer implements Server {

    private final ClientResources resources = Connections.resources();
    private final RedisClusterClient client;
    private final List<StatefulRedisClusterConnection<byte[], byte[]>> connections = new ArrayList<>();

    ClusterServer(List<RedisURI> uris, Duration timeout) {
        this.client = RedisClusterClient.create(resources, uris);
        // A connection to a node is opened when it is first needed, and calls wait for it in Lettuce: one that has
        // timed
        // out meanwhile is not sent any more.
        client.setOptions(Connections.options(ClusterClientOptions.builder(), timeout)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                        .enablePeriodicRefresh(Duration.ofSeconds(10))
                        .build())
                .build());
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(client.connect(ByteArrayCodec.INSTANCE));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** A command may only have keys of one slot. */
    @Override
    public int lanes() {
        return Names.BUCKETS;
    }

    /** Lettuce connects to the node that has the bucket when it is asked for it. */
    @Override
    public boolean isConnected(int bucket) {
        return true;
    }

    /** Lettuce looks after the connections to the nodes of a Cluster itself. */
    @Override
    public void replaceConnection(int bucket, BooleanSupplier silent) {}

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket) {
        return connection(bucket).async();
    }

    @Override
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket) {
        int slot = Names.slotOf(bucket);
        RedisClusterNode master = connection(bucket).getPartitions().getMasterBySlot(slot);
        if (master == null) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("no server of the Redis Cluster has slot " + slot + " now", null));
        }
        return node(connection(bucket), master);
    }

    @Override
    public CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters() {
        List<CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>>> nodes = new ArrayList<>();
        StatefulRedisClusterConnection<byte[], byte[]> connection = connection(0);
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.getRole().isUpstream() && !node.getSlots().isEmpty()) {
                nodes.add(node(connection, node).thenApply(StatefulRedisConnection::async));
            }
        }
        return CompletableFuture.allOf(nodes.toArray(CompletableFuture[]::new))
                .thenApply(all -> nodes.stream().map(CompletableFuture::join).toList());
    }

    private StatefulRedisClusterConnection<byte[], byte[]> connection(int bucket) {
        return connections.get(bucket % CONNECTIONS);
    }

    private static CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node(
            StatefulRedisClusterConnection<byte[], byte[]> connection, RedisClusterNode node) {
        return connection.getConnectionAsync(node.getNodeId());
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisClusterConnection::close);
        Connections.shutDown(client, resources);
    }
}
