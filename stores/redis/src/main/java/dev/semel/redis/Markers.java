package dev.semel.redis;

import dev.semel.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The markers by which a store notices that it has lost its memory: one in each bucket, all of one epoch.
 *
 * <p>Set-up begins with the first bucket, so that of several nodes one decides the epoch, and ends there too. As long as
 * it has not ended nobody has claimed anything, so it may be gone on with.
 */
record Markers(Scripts scripts, String prefix) {

    private static final Logger log = LoggerFactory.getLogger(Markers.class);
    private static final int FIRST = 0;

    /** What is in a bucket: the epoch, or 0 for none. */
    private record Marker(long epoch, boolean lost, boolean ready, boolean former) {}

    /** The epoch of the store, or 0 if it is not set up. */
    CompletionStage<Long> open(boolean setUpIfEmpty) {
        return read().thenCompose(markers -> {
            if (markers.stream().anyMatch(Marker::former)) {
                return CompletableFuture.failedFuture(new StoreException(
                        "the store \"" + prefix + "\" in Redis has a form that it had before 0.1.0. This release does"
                                + " not read it: it needs a prefix of its own",
                        null));
            }
            boolean empty = newest(markers) == 0;
            Marker first = markers.get(FIRST);
            if (setUpIfEmpty && (empty || (first.epoch() != 0 && !first.ready()))) {
                return setUp();
            }
            long lost = markers.stream()
                    .filter(marker -> marker.epoch() == 0 || marker.lost())
                    .count();
            if (empty) {
                log.error("the store \"{}\" in Redis is not set up, or has lost all its memory", prefix);
            } else if (lost > 0) {
                log.error(
                        "the store \"{}\" in Redis has lost memory in {} of its {} buckets",
                        prefix,
                        lost,
                        Names.BUCKETS);
            }
            return CompletableFuture.completedFuture(newest(markers));
        });
    }

    private CompletionStage<Long> setUp() {
        return scripts.run("setup", FIRST, 0)
                .thenApply(first -> (Long) first.get(0))
                .thenCompose(epoch -> all(bucket -> scripts.run("setup", bucket, epoch))
                        .thenCompose(done -> scripts.run("ready", FIRST))
                        .thenApply(done -> epoch));
    }

    /** A new epoch, and in how many buckets the one before was lost. */
    record Acknowledged(long epoch, int lostBuckets) {}

    /** Begins a new epoch in every bucket. */
    CompletionStage<Acknowledged> acknowledge(long known) {
        return read().thenCompose(markers -> {
            long least = Math.max(known, newest(markers)) + 1;
            return scripts.run("acknowledge", FIRST, 0, least)
                    .thenCompose(first -> all(bucket -> bucket == FIRST
                                    ? CompletableFuture.completedFuture(first)
                                    : scripts.run("acknowledge", bucket, first.get(0), least))
                            .thenApply(replies -> new Acknowledged((Long) first.get(0), (int) replies.stream()
                                    .filter(reply -> (Long) reply.get(1) == 0)
                                    .count())));
        });
    }

    private CompletionStage<List<Marker>> read() {
        return all(bucket -> scripts.run("open", bucket)
                .thenApply(found -> new Marker(
                        (Long) found.get(0),
                        (Long) found.get(1) > 0,
                        (Long) found.get(2) == 1,
                        (Long) found.get(3) > 0)));
    }

    private static long newest(List<Marker> markers) {
        return markers.stream().mapToLong(Marker::epoch).max().orElse(0);
    }

    /** Does something with every bucket at once, in one pipeline. */
    private static <T> CompletionStage<List<T>> all(IntFunction<CompletionStage<T>> work) {
        return Stages.all(IntStream.range(0, Names.BUCKETS).mapToObj(work).toList());
    }
}
