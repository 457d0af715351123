package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.spi.Purging.Purged;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Removes what is due: looks into every bucket for a few keys, then removes as many as it may. */
final class Purge {

    /** Per bucket and round. A larger number would hold up the other callers of Redis for longer. */
    private static final int AT_ONCE = 64;

    private final Indexes indexes;

    Purge(Indexes indexes) {
        this.indexes = indexes;
    }

    CompletionStage<Purged> run(int limit) {
        int each = Math.min(limit, AT_ONCE);
        return Stages.all(IntStream.range(0, Names.BUCKETS)
                        .mapToObj(bucket -> indexes.due(bucket, each))
                        .toList())
                .thenCompose(due -> remove(due, limit, each));
    }

    private CompletionStage<Purged> remove(List<List<KeyDigest>> due, int limit, int each) {
        // Nodes that purge at the same time begin at different buckets.
        int start = ThreadLocalRandom.current().nextInt(Names.BUCKETS);
        Map<Integer, List<KeyDigest>> chosen = new TreeMap<>();
        int room = limit;
        boolean more = false;
        for (int i = 0; i < Names.BUCKETS; i++) {
            int bucket = (start + i) % Names.BUCKETS;
            List<KeyDigest> found = due.get(bucket);
            int taken = Math.min(room, found.size());
            if (taken > 0) {
                chosen.put(bucket, found.subList(0, taken));
            }
            room -= taken;
            more |= taken < found.size() || found.size() == each;
        }
        List<CompletionStage<Long>> removals = new ArrayList<>();
        chosen.forEach((bucket, digests) -> removals.add(indexes.purge(bucket, digests)));
        boolean likelyMore = more;
        return Stages.all(removals)
                .thenApply(
                        removed -> new Purged(removed.stream().mapToLong(n -> n).sum(), likelyMore));
    }
}
