package dev.semel.redis;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A master, two replicas, and three Sentinels that watch them. */
record SentinelGroup(List<RedisProcess> servers, List<RedisProcess> sentinels) implements AutoCloseable {

    static SentinelGroup start() {
        RedisProcess master = RedisProcess.start();
        String[] replicaOf = {"--replicaof", "127.0.0.1 " + master.port(), "--repl-diskless-sync-delay", "0"};
        List<RedisProcess> servers = List.of(master, RedisProcess.start(replicaOf), RedisProcess.start(replicaOf));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> master.ask(redis -> redis.info("replication")).contains("connected_slaves:2"));
        List<RedisProcess> sentinels = Stream.generate(() -> RedisProcess.startSentinel(master.port()))
                .limit(3)
                .toList();
        return new SentinelGroup(servers, sentinels);
    }

    String url() {
        String hosts = sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(","));
        return "redis-sentinel://" + hosts + "/0#semel";
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        servers.forEach(RedisProcess::close);
    }
}
