package dev.semel.torture.database;

import dev.semel.redis.RedisKeyStore;
import dev.semel.testservers.RedisCluster;
import dev.semel.testservers.RedisProcess;
import dev.semel.testservers.ReplicatedRedis;
import dev.semel.testservers.SentinelGroup;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A Redis Cluster, or a group of Sentinels, in which all replicas confirm each write. */
public record ReplicatedRedisServers(ReplicatedRedis servers) implements Database {

    /** How long a master may be silent before another one takes over. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final long RECOVERY_SECONDS = 60;

    public static ReplicatedRedisServers startCluster() {
        return new ReplicatedRedisServers(RedisCluster.start(SILENCE));
    }

    public static ReplicatedRedisServers startSentinel() {
        return new ReplicatedRedisServers(SentinelGroup.start(SILENCE));
    }

    @Override
    public List<Integer> ports() {
        return List.of();
    }

    @Override
    public String url(List<Integer> ports) {
        String parameters = "?createIfMissing=true&timeout=2s&replicas=" + servers.replicas();
        String url = servers.url();
        int name = url.indexOf('#');
        return name < 0 ? url + parameters : url.substring(0, name) + parameters + url.substring(name);
    }

    @Override
    public void inspect(Look look) throws Exception {
        try (RedisKeyStore keys = RedisKeyStore.connect(url(List.of()))) {
            look.at(keys);
        }
    }

    /** A master is back before anybody has taken over from it. */
    @Override
    public String restart(Random random) throws InterruptedException {
        RedisProcess master = servers.someMaster();
        master.kill();
        master.restart();
        awaitHealth();
        return "of a master";
    }

    @Override
    public String failOver(Random random) throws InterruptedException {
        RedisProcess master = servers.someMaster();
        boolean frozen = random.nextBoolean();
        if (frozen) {
            master.freeze();
            TimeUnit.MILLISECONDS.sleep(SILENCE.toMillis() * 3);
            master.thaw();
        } else {
            master.kill();
            await(servers::hasMasters, "no replica took over");
            master.restart();
        }
        awaitHealth();
        return frozen ? "from a frozen master" : "from a killed master";
    }

    private void awaitHealth() throws InterruptedException {
        await(() -> servers.hasMasters() && servers.isHealthy(), "Redis did not recover");
    }

    private static void await(java.util.function.BooleanSupplier condition, String otherwise)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(otherwise + " within " + RECOVERY_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    @Override
    public List<ProcessHandle> processes() {
        return servers.processes().stream().map(RedisProcess::handle).toList();
    }

    @Override
    public void heal() throws InterruptedException {
        awaitHealth();
    }

    @Override
    public void close() {
        servers.close();
    }
}
