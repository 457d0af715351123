package dev.semel.redis;

import dev.semel.StoreUnavailableException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The masters of a Redis Cluster. */
final class ClusterServer implements Server {

    private final RedisClusterClient client;
    private final StatefulRedisClusterConnection<byte[], byte[]> connection;

    ClusterServer(List<RedisURI> uris, Duration timeout) {
        this.client = RedisClusterClient.create(uris);
        client.setOptions(ClusterClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                        .enablePeriodicRefresh(Duration.ofSeconds(10))
                        .build())
                .build());
        try {
            this.connection = client.connect(ByteArrayCodec.INSTANCE);
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    @Override
    public CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> masterOf(int slot) {
        RedisClusterNode master = connection.getPartitions().getMasterBySlot(slot);
        if (master == null) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("no server of the Redis Cluster has slot " + slot + " now", null));
        }
        return node(master);
    }

    @Override
    public CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters() {
        List<CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>>> nodes = new ArrayList<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.getRole().isUpstream() && !node.getSlots().isEmpty()) {
                nodes.add(node(node));
            }
        }
        return CompletableFuture.allOf(nodes.toArray(CompletableFuture[]::new))
                .thenApply(all -> nodes.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> node(RedisClusterNode node) {
        return connection.getConnectionAsync(node.getNodeId()).thenApply(StatefulRedisConnection::async);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }
}
