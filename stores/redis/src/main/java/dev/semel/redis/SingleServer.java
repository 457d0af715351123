package dev.semel.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** One master: a server of its own, or the one that Sentinel names. */
final class SingleServer implements Server {

    private final ClientResources resources = Connections.resources();
    private final RedisClient client;
    private final RedisURI uri;
    private final List<StatefulRedisConnection<byte[], byte[]>> connections = new CopyOnWriteArrayList<>();
    private final Set<Integer> replacing = ConcurrentHashMap.newKeySet();

    SingleServer(RedisURI uri, Duration timeout) {
        this.uri = uri;
        this.client = RedisClient.create(resources, uri);
        // What is under way when a connection breaks fails, and Lettuce sends none of it again: its caller decides.
        client.setOptions(Connections.options(ClientOptions.builder(), timeout)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
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

    @Override
    public int lanes() {
        return CONNECTIONS;
    }

    @Override
    public boolean isConnected(int bucket) {
        return connection(bucket).isOpen();
    }

    /** A firewall that has forgotten a connection does not say so, and TCP takes a quarter of an hour to find out. */
    @Override
    public void replaceConnection(int bucket, BooleanSupplier silent) {
        int index = bucket % CONNECTIONS;
        if (!replacing.add(index)) {
            return;
        }
        client.connectAsync(ByteArrayCodec.INSTANCE, uri).whenComplete((connection, failure) -> {
            if (connection != null) {
                StatefulRedisConnection<byte[], byte[]> unwanted =
                        silent.getAsBoolean() ? connections.set(index, connection) : connection;
                unwanted.closeAsync();
            }
            replacing.remove(index);
        });
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
        Connections.shutDown(client, resources);
    }
}
