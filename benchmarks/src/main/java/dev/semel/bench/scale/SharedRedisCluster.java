package dev.semel.bench.scale;

import dev.semel.testservers.RedisCluster;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Redis Cluster of three primaries and a replica of each, for all gateways. Replicas confirm every write. */
record SharedRedisCluster(RedisCluster servers, RedisClient client, List<RedisCommands<String, String>> commands)
        implements SharedStore {

    private static final int PRIMARIES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern CALLS = Pattern.compile("cmdstat_(?:fcall|evalsha)[a-z_]*:calls=(\\d+)");

    static SharedRedisCluster start() {
        RedisCluster servers =
                RedisCluster.start(PATIENCE, "maxmemory-policy noeviction", "auto-aof-rewrite-percentage 0");
        RedisClient client = RedisClient.create();
        List<RedisCommands<String, String>> commands = servers.servers().stream()
                .map(server -> client.connect(RedisURI.create(server.url())).sync())
                .toList();
        return new SharedRedisCluster(servers, client, commands);
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public String url() {
        return servers.url() + "?createIfMissing=true&replicas=1";
    }

    @Override
    public String description() {
        return "Redis Cluster " + text(commands.get(0).info("server"), "redis_version") + ", " + PRIMARIES
                + " primaries with a replica each, appendonly=yes, appendfsync=always, every replica confirms each write";
    }

    /** Keys stay, as nothing but a loss takes them from a store in Redis; what is measured does not depend on them. */
    @Override
    public void reset() {}

    @Override
    public List<ProcessHandle> processes() {
        return servers.servers().stream().map(RedisProcess::handle).toList();
    }

    @Override
    public List<ProcessHandle> primaries() {
        return processes().subList(0, PRIMARIES);
    }

    @Override
    public long roundTrips() {
        return sum(server -> CALLS.matcher(server.info("commandstats"))
                .results()
                .mapToLong(call -> Long.parseLong(call.group(1)))
                .sum());
    }

    @Override
    public long logBytes() {
        return sum(server -> Long.parseLong(text(server.info("persistence"), "aof_current_size")));
    }

    @Override
    public long dataBytes() {
        return sum(server -> Long.parseLong(text(server.info("memory"), "used_memory")));
    }

    @Override
    public long indexBytes() {
        return 0;
    }

    @Override
    public long keys() {
        return sum(RedisCommands::dbsize);
    }

    @Override
    public long connections() {
        return sum(server -> Long.parseLong(text(server.info("clients"), "connected_clients"))) - PRIMARIES;
    }

    private long sum(ToLongFunction<RedisCommands<String, String>> value) {
        return commands.stream().limit(PRIMARIES).mapToLong(value).sum();
    }

    private static String text(String info, String name) {
        Matcher line = Pattern.compile("(?m)^" + name + ":(.*?)\\r?$").matcher(info);
        if (!line.find()) {
            throw new IllegalStateException("Redis does not say its " + name);
        }
        return line.group(1);
    }

    @Override
    public void close() {
        client.shutdown();
        servers.close();
    }
}
