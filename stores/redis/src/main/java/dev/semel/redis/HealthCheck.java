package dev.semel.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at how the masters are configured, and says in plain words what can make them forget keys. */
final class HealthCheck {

    private static final Pattern LINE = Pattern.compile("(?m)^(\\w+):(.*?)\\r?$");

    private HealthCheck() {}

    static CompletionStage<List<String>> run(Server server, int replicasWanted) {
        return server.masters()
                .thenCompose(masters -> Stages.all(masters.stream()
                        .map(master -> check(master, replicasWanted))
                        .toList()))
                .thenApply(lists -> {
                    Set<String> warnings = new LinkedHashSet<>();
                    lists.forEach(warnings::addAll);
                    return List.copyOf(warnings);
                });
    }

    private static CompletionStage<List<String>> check(
            RedisClusterAsyncCommands<byte[], byte[]> master, int replicasWanted) {
        return master.info().thenCombine(fsync(master), (info, fsync) -> {
            List<String> warnings = new ArrayList<>();
            eviction(info, warnings);
            persistence(info, fsync, warnings);
            replicas(info, replicasWanted, warnings);
            return warnings;
        });
    }

    /** Managed services often forbid CONFIG; then it is not known. */
    private static CompletionStage<String> fsync(RedisClusterAsyncCommands<byte[], byte[]> master) {
        return master.configGet("appendfsync")
                .thenApply(config -> config.getOrDefault("appendfsync", ""))
                .exceptionallyCompose(failure -> CompletableFuture.completedFuture(""));
    }

    private static void eviction(String info, List<String> warnings) {
        String policy = value(info, "maxmemory_policy");
        if (!policy.isEmpty() && !policy.equals("noeviction")) {
            boolean limited = !value(info, "maxmemory").equals("0");
            warnings.add("maxmemory-policy is " + policy + ": when its memory is full, Redis "
                    + (limited ? "throws" : "would throw, if it had a limit,")
                    + " keys away without a word, and their operations can run a second time."
                    + " Set maxmemory-policy to noeviction: claims are then refused instead.");
        }
    }

    private static void persistence(String info, String fsync, List<String> warnings) {
        if (value(info, "aof_enabled").equals("0")) {
            warnings.add("appendonly is off: a restart of Redis forgets all keys, or those since its last snapshot."
                    + " Set appendonly to yes, and appendfsync to always.");
        } else if (fsync.equals("everysec") || fsync.equals("no")) {
            warnings.add("appendfsync is " + fsync + ": a crash of the machine forgets "
                    + (fsync.equals("no") ? "what the operating system had not written yet" : "up to two seconds")
                    + " of claims and outcomes that were acknowledged. Set appendfsync to always.");
        }
    }

    private static void replicas(String info, int wanted, List<String> warnings) {
        String connected = value(info, "connected_slaves");
        if (connected.isEmpty()) {
            return;
        }
        int count = Integer.parseInt(connected);
        if (count < wanted) {
            warnings.add("a master has " + count + " replicas, and " + wanted
                    + " are to confirm each write: every write will fail. Add replicas, or ask for fewer.");
        } else if (wanted > 0 && wanted < count) {
            warnings.add("a master has " + count + " replicas, and only " + wanted + " of them confirm each write: a"
                    + " failover to one of the others forgets what it does not have. Set replicas to " + count + ".");
        } else if (count > 0 && wanted == 0) {
            warnings.add("replication is asynchronous: a failover forgets the last claims and outcomes that were"
                    + " acknowledged but not yet copied. Set replicas to " + count + " to wait for the copies.");
        }
    }

    private static String value(String info, String name) {
        return lines(info).getOrDefault(name, "");
    }

    private static Map<String, String> lines(String info) {
        Map<String, String> values = new java.util.HashMap<>();
        Matcher line = LINE.matcher(info);
        while (line.find()) {
            values.put(line.group(1), line.group(2));
        }
        return values;
    }
}
