package dev.semel.bench.stores;

import dev.semel.bench.measure.Payload;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The least that could be done in Redis: mark a key if it is free, then overwrite the mark with the response. */
final class RawRedis implements AutoCloseable {

    private static final Duration RETENTION = Duration.ofHours(24);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    RawRedis(String url) {
        this.client = RedisClient.create(url);
        this.connection = client.connect();
    }

    void flush() {
        connection.sync().flushall();
    }

    CompletionStage<?> cycle(String key) {
        return connection
                .async()
                .set(key, "pending", SetArgs.Builder.nx().ex(RETENTION))
                .thenCompose(marked -> {
                    if (marked == null) {
                        throw new IllegalStateException("key " + key + " was not free");
                    }
                    return connection.async().set(key, Payload.of(key), SetArgs.Builder.ex(RETENTION));
                });
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
    }
}
