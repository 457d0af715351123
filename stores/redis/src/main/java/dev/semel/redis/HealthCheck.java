package dev.semel.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the configuration of the masters, and describes the settings that can make them forget keys. */
record HealthCheck(int replicasWanted) {

    CompletionStage<List<String>> run(Server server) {
        return server.masters()
                .thenCompose(
                        masters -> Stages.all(masters.stream().map(this::check).toList()))
                .thenApply(
                        lists -> lists.stream().flatMap(List::stream).distinct().toList());
    }

    private CompletionStage<List<String>> check(RedisClusterAsyncCommands<byte[], byte[]> master) {
        // Managed services often forbid CONFIG; then it is not known.
        CompletionStage<String> fsync = master.configGet("appendfsync")
                .thenApply(config -> config.getOrDefault("appendfsync", ""))
                .exceptionally(failure -> "");
        return master.info().thenCombine(fsync, (info, known) -> {
            List<String> warnings = new ArrayList<>();
            eviction(info, warnings);
            persistence(info, known, warnings);
            replicas(info, warnings);
            return warnings;
        });
    }

    private static void eviction(String info, List<String> warnings) {
        String policy = value(info, "maxmemory_policy");
        if (!policy.isEmpty() && !policy.equals("noeviction")) {
            boolean limited = !value(info, "maxmemory").equals("0");
            warnings.add("maxmemory-policy is " + policy + ": when its memory is full, Redis "
                    + (limited ? "throws" : "would throw, if it had a limit,")
                    + " keys away silently, and their operations can run a second time."
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

    private void replicas(String info, List<String> warnings) {
        String connected = value(info, "connected_slaves");
        int count = connected.isEmpty() ? replicasWanted : Integer.parseInt(connected);
        if (count < replicasWanted) {
            warnings.add("a master has " + count + " replicas, and " + replicasWanted
                    + " must confirm each write: every write will fail. Add replicas, or ask for fewer.");
        } else if (count > replicasWanted && replicasWanted > 0) {
            warnings.add("a master has " + count + " replicas, and only " + replicasWanted
                    + " of them confirm each write: a failover to another one loses the writes that it lacks."
                    + " Set replicas to " + count + ".");
        } else if (count > replicasWanted) {
            warnings.add("replication is asynchronous: a failover forgets the last claims and outcomes that were"
                    + " acknowledged but not yet copied. Set replicas to " + count + " to wait for the copies.");
        }
    }

    private static String value(String info, String name) {
        Matcher line = Pattern.compile("(?m)^" + name + ":(.*?)\\r?$").matcher(info);
        return line.find() ? line.group(1) : "";
    }
}
