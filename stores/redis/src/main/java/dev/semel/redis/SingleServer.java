package dev.semel.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One master: a server of its own, or the one that Sentinel names. */
final class SingleServer implements Server {

    private final RedisClient client;
    private final List<StatefulRedisConnection<byte[], byte[]>> connections = new ArrayList<>();

    SingleServer(RedisURI uri, Duration timeout) {
        this.client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .build());
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(client.connect(ByteArrayCodec.INSTANCE));
            }
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    @Override
    public int lanes() {
        return CONNECTIONS;
    }

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket) {
        return connection(bucket).async();
    }

    @Override
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket) {
        return CompletableFuture.completedFuture(connection(bucket));
    }

    private StatefulRedisConnection<byte[], byte[]> connection(int bucket) {
        return connections.get(bucket % CONNECTIONS);
    }

    @Override
    public CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters() {
        return CompletableFuture.completedFuture(List.of(commands(0)));
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }
}
