package dev.semel.testservers;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A master, two replicas, and three Sentinels that watch them. */
public record SentinelGroup(List<RedisProcess> servers, List<RedisProcess> sentinels) implements ReplicatedRedis {

    /** {@code patience} is how long a master may be silent before another one takes over. */
    public static SentinelGroup start(Duration patience) {
        RedisProcess master = RedisProcess.start();
        String replicaOf = "replicaof 127.0.0.1 " + master.port();
        List<RedisProcess> servers = List.of(master, RedisProcess.start(replicaOf), RedisProcess.start(replicaOf));
        Waiting.require(
                "replication in Redis",
                Duration.ofSeconds(30),
                () -> master.ask(redis -> redis.info("replication")).contains("connected_slaves:2"));
        List<RedisProcess> sentinels = Stream.generate(() -> RedisProcess.startSentinel(master.port(), patience))
                .limit(3)
                .toList();
        return new SentinelGroup(servers, sentinels);
    }

    @Override
    public List<RedisProcess> processes() {
        return Stream.concat(servers.stream(), sentinels.stream()).toList();
    }

    @Override
    public int replicas() {
        return 2;
    }

    @Override
    public RedisProcess someMaster() {
        return servers.stream()
                .filter(server -> server.ask(redis -> redis.info("replication")).contains("role:master"))
                .findFirst()
                .orElseThrow();
    }

    /** There is one master, and the others follow it. */
    @Override
    public boolean isHealthy() {
        return servers.stream()
                        .filter(server ->
                                server.ask(redis -> redis.info("replication")).contains("master_link_status:up"))
                        .count()
                == servers.size() - 1;
    }

    /** There is one master, and all Sentinels send clients to it: until then, to one that may come back. */
    @Override
    public boolean hasMasters() {
        List<Integer> masters = servers.stream()
                .filter(RedisProcess::isAlive)
                .filter(server -> server.ask(redis -> redis.info("replication")).contains("role:master"))
                .map(RedisProcess::port)
                .toList();
        return masters.size() == 1 && sentinels.stream().allMatch(sentinel -> sentinel.masterPort() == masters.get(0));
    }

    @Override
    public String url() {
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
