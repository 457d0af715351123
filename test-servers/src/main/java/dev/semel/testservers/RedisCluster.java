package dev.semel.testservers;

import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A Cluster of three masters with a replica each. */
public record RedisCluster(List<RedisProcess> servers) implements ReplicatedRedis {

    private static final int MASTERS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * Starts the servers, masters first, and waits until they have found each other.
     *
     * @param patience how long a master may be silent before another one takes over
     * @param settings more lines of each server's configuration
     */
    public static RedisCluster start(Duration patience, String... settings) {
        List<String> lines = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-node-timeout " + patience.toMillis(),
                "cluster-config-file nodes.conf"));
        Collections.addAll(lines, settings);
        List<RedisProcess> servers = Stream.generate(() -> RedisProcess.start(lines.toArray(String[]::new)))
                .limit(2 * MASTERS)
                .toList();
        RedisCluster cluster = new RedisCluster(servers);
        cluster.assemble();
        return cluster;
    }

    private void assemble() {
        for (int i = 0; i < servers.size(); i++) {
            int number = i;
            servers.get(i).ask(redis -> redis.clusterSetConfigEpoch(number + 1));
            servers.get(0)
                    .ask(redis ->
                            redis.clusterMeet("127.0.0.1", servers.get(number).port()));
        }
        for (int m = 0; m < MASTERS; m++) {
            int from = m * SlotHash.SLOT_COUNT / MASTERS;
            int to = (m + 1) * SlotHash.SLOT_COUNT / MASTERS;
            servers.get(m)
                    .ask(redis ->
                            redis.clusterAddSlots(IntStream.range(from, to).toArray()));
        }
        Waiting.require(
                "the meeting of the Redis Cluster",
                PATIENCE,
                () -> servers.stream()
                        .allMatch(server -> server.ask(redis -> redis.clusterNodes())
                                        .lines()
                                        .count()
                                == servers.size()));
        for (int m = 0; m < MASTERS; m++) {
            String master = servers.get(m).ask(redis -> redis.clusterMyId());
            servers.get(MASTERS + m).ask(redis -> redis.clusterReplicate(master));
        }
        Waiting.require("assembling the Redis Cluster", PATIENCE, this::isHealthy);
    }

    /** Every slot is served, and every master has its replica. */
    @Override
    public boolean isHealthy() {
        return servers.stream()
                        .allMatch(server ->
                                server.ask(redis -> redis.clusterInfo()).contains("cluster_state:ok"))
                && servers.stream()
                                .map(server -> server.ask(redis -> redis.info("replication")))
                                .filter(info -> info.contains("master_link_status:up"))
                                .count()
                        == MASTERS;
    }

    @Override
    public List<RedisProcess> processes() {
        return servers;
    }

    @Override
    public int replicas() {
        return 1;
    }

    @Override
    public RedisProcess someMaster() {
        return servers.stream()
                .filter(server -> server.ask(redis -> redis.info("replication")).contains("role:master"))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public boolean hasMasters() {
        return servers.stream()
                        .filter(RedisProcess::isAlive)
                        .filter(server ->
                                server.ask(redis -> redis.info("replication")).contains("role:master"))
                        .count()
                == MASTERS;
    }

    @Override
    public String url() {
        return "redis-cluster://"
                + servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        servers.forEach(RedisProcess::close);
    }
}
