package dev.semel.redis;

import dev.semel.redis.Lane.Reply;
import dev.semel.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the state of the store in this process, to detect and describe a loss. The store has a marker in each
 * bucket; all markers belong to one epoch.
 *
 * <p>Set-up begins with the first bucket, so that of several nodes one decides the epoch, and ends there too. As long as
 * it has not ended no key has been claimed, so it may be continued.
 */
final class Memory {

    private static final Logger log = LoggerFactory.getLogger(Memory.class);
    private static final int FIRST = 0;
    private static final byte[] NOT_SEEN = new byte[2 * Double.BYTES];
    private static final String REMEDY = " Claims of its keys are refused, because operations whose keys are lost"
            + " could run again."
            + " Find out what was lost; when no operation of that time can still be retried, acknowledge the loss with"
            + " `semel keys acknowledge-loss` or RedisKeyStore.acknowledgeLoss().";

    /**
     * One epoch of the store: for each bucket the largest clock that this process has received, behind the term of the master that
     * told it, as Redis packs them. A server that does not know as much has lost writes that it had acknowledged.
     *
     * @param number 0 if the store was not set up when this process came to it
     */
    record Epoch(long number, Map<Integer, byte[]> clocks) {

        Epoch(long number) {
            this(number, new ConcurrentHashMap<>());
        }

        byte[] seen(int bucket) {
            return clocks.getOrDefault(bucket, NOT_SEEN);
        }

        /** Positive numbers that are packed compare as their bytes do. */
        void saw(int bucket, byte[] told) {
            if (told.length > 0) {
                clocks.merge(bucket, told, (old, next) -> {
                    boolean sameTerm = Arrays.equals(old, 0, Double.BYTES, next, 0, Double.BYTES);
                    return sameTerm && Arrays.compareUnsigned(old, next) > 0 ? old : next;
                });
            }
        }
    }

    private final Scripts scripts;
    private final String store;
    private volatile Epoch epoch = new Epoch(0);

    Memory(Scripts scripts, String prefix) {
        this.scripts = scripts;
        this.store = "the store \"" + prefix + "\" in Redis";
    }

    Epoch epoch() {
        return epoch;
    }

    /** The marker of a bucket: the epoch, or 0 if there is none. */
    private record Marker(long epoch, boolean lost, boolean ready, boolean former) {}

    /** Reads the store's markers, and creates them if there are none and the settings allow it. */
    CompletionStage<Void> open(boolean createIfMissing) {
        return markers().thenCompose(markers -> open(markers, createIfMissing)).thenAccept(this::begin);
    }

    private CompletionStage<Long> open(List<Marker> markers, boolean createIfMissing) {
        if (markers.stream().anyMatch(Marker::former)) {
            return CompletableFuture.failedFuture(new StoreException(
                    store + " has a form that it had before 0.1.0. This release does not read it: it needs a prefix"
                            + " of its own",
                    null));
        }
        long newest = newest(markers);
        Marker first = markers.get(FIRST);
        if (createIfMissing && (newest == 0 || (first.epoch() != 0 && !first.ready()))) {
            return setUp();
        }
        long lost = markers.stream()
                .filter(marker -> marker.epoch() == 0 || marker.lost())
                .count();
        if (newest == 0) {
            log.error("{} is not set up, or has lost all its memory", store);
        } else if (lost > 0) {
            log.error("{} has lost memory in {} of its {} buckets", store, lost, Names.BUCKETS);
        }
        return CompletableFuture.completedFuture(newest);
    }

    private CompletionStage<Long> setUp() {
        return scripts.run("setup", FIRST, 0)
                .thenCompose(first -> Buckets.all(bucket -> scripts.run("setup", bucket, first.get(0)))
                        .thenCompose(done -> scripts.run("ready", FIRST))
                        .thenApply(done -> (Long) first.get(0)));
    }

    /**
     * Begins a new epoch in every bucket; completes with the number of buckets in which the previous epoch was lost.
     */
    CompletionStage<Integer> acknowledge() {
        return markers().thenCompose(markers -> {
            long least = Math.max(epoch.number, newest(markers)) + 1;
            return scripts.run("acknowledge", FIRST, 0, least)
                    .thenCompose(first -> Buckets.all(bucket -> bucket == FIRST
                                    ? CompletableFuture.completedFuture(first)
                                    : scripts.run("acknowledge", bucket, first.get(0), least))
                            .thenApply(answers -> {
                                begin((Long) first.get(0));
                                return (int) answers.stream()
                                        .filter(answer -> (Long) answer.get(1) == 0)
                                        .count();
                            }));
        });
    }

    private synchronized void begin(long number) {
        epoch = new Epoch(number);
    }

    private CompletionStage<List<Marker>> markers() {
        return Buckets.all(bucket -> scripts.run("open", bucket)
                .thenApply(found -> new Marker(
                        (Long) found.get(0),
                        (Long) found.get(1) > 0,
                        (Long) found.get(2) == 1,
                        (Long) found.get(3) > 0)));
    }

    private static long newest(List<Marker> markers) {
        return markers.stream().mapToLong(Marker::epoch).max().orElse(0);
    }

    /** Whether the marker that a call found begins an epoch that an operator has asked for; then it counts from now on. */
    synchronized boolean follows(Reply reply) {
        List<?> refusal = (List<?>) reply.value();
        long found = (Long) refusal.get(1);
        long known = epoch.number;
        boolean changed = Scripts.text(refusal.get(0)).equals("changed");
        // A process that came before the set-up has no memory to compare with.
        if (changed
                && found > known
                && (known == 0 || Scripts.text(refusal.get(2)).equals("o"))) {
            begin(found);
            log.warn("{} begins epoch {}: a loss of its memory was acknowledged", store, found);
        }
        return changed && found == epoch.number;
    }

    MemoryLostException loss(int bucket, Reply reply) {
        List<?> refusal = (List<?>) reply.value();
        long known = epoch.number;
        String what = switch (Scripts.text(refusal.get(0))) {
            case "missing" ->
                known == 0
                        ? " is not set up. If this Redis is new, set it up with createIfMissing(), or createIfMissing=true in"
                                + " its URL. If it is not new, it has lost its memory."
                        : " has lost its marker of bucket " + bucket + " (epoch " + known
                                + "): Redis was flushed or restarted without its data, evicted keys, or made an"
                                + " empty replica its master.";
            case "lost" ->
                " has lost writes of bucket " + bucket + " that it had acknowledged (the last "
                        + (Long) refusal.get(1) / 1000
                        + " ms): Redis restarted without its latest data, or made a replica its master that did not"
                        + " have them.";
            default ->
                " has epoch " + refusal.get(1) + " in bucket " + bucket + " where this process knows epoch " + known
                        + ": Redis was replaced by an older copy of itself, or was emptied and set up again.";
        };
        return new MemoryLostException(store + what + REMEDY);
    }
}
