package dev.semel.redis;

import dev.semel.StoreException;
import java.util.ArrayList;
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
final class Markers {

    private static final Logger log = LoggerFactory.getLogger(Markers.class);
    private static final int FIRST = 0;

    /** What is in a bucket: the epoch, or 0 for none. */
    record Marker(long epoch, boolean lost, boolean ready, boolean former) {}

    private final Scripts scripts;
    private final Names names;

    Markers(Scripts scripts, Names names) {
        this.scripts = scripts;
        this.names = names;
    }

    /** The epoch of the store, or 0 if it is not set up. */
    CompletionStage<Long> open(boolean setUpIfEmpty) {
        return read().thenCompose(markers -> {
            if (markers.stream().anyMatch(Marker::former)) {
                return CompletableFuture.failedFuture(new StoreException(
                        "the store \"" + names.prefix()
                                + "\" in Redis has a form that it had before 0.1.0. This release"
                                + " does not read it: it needs a prefix of its own",
                        null));
            }
            long present =
                    markers.stream().filter(marker -> marker.epoch() != 0).count();
            Marker first = markers.get(FIRST);
            boolean neverReady = present == 0 || (first.epoch() != 0 && !first.ready());
            if (neverReady && setUpIfEmpty) {
                return setUp();
            }
            long lost = markers.stream()
                    .filter(marker -> marker.epoch() == 0 || marker.lost())
                    .count();
            if (present == 0) {
                log.error("the store \"{}\" in Redis is not set up, or has lost all its memory", names.prefix());
            } else if (lost > 0) {
                log.error(
                        "the store \"{}\" in Redis has lost memory in {} of its {} buckets",
                        names.prefix(),
                        lost,
                        Names.BUCKETS);
            }
            return CompletableFuture.completedFuture(newest(markers));
        });
    }

    private CompletionStage<Long> setUp() {
        return setUp(FIRST, 0)
                .thenCompose(epoch -> all(bucket -> setUp(bucket, epoch)).thenApply(done -> epoch))
                .thenCompose(epoch -> scripts.run(Call.READY, FIRST, marker(FIRST), new Args())
                        .thenApply(done -> epoch));
    }

    private CompletionStage<Long> setUp(int bucket, long epoch) {
        return scripts.run(Call.SETUP, bucket, marker(bucket), new Args().add(epoch))
                .thenApply(reply -> reply.number(0));
    }

    /** Begins a new epoch in every bucket; returns it, and in how many buckets the one before was lost. */
    CompletionStage<Acknowledged> acknowledge(long known) {
        return read().thenCompose(markers -> {
            long least = Math.max(known, newest(markers)) + 1;
            return acknowledge(FIRST, 0, least)
                    .thenCompose(first -> all(bucket -> bucket == FIRST
                                    ? CompletableFuture.completedFuture(first)
                                    : acknowledge(bucket, first.number(0), least))
                            .thenApply(replies -> new Acknowledged(first.number(0), (int) replies.stream()
                                    .filter(reply -> reply.number(1) == 0)
                                    .count())));
        });
    }

    record Acknowledged(long epoch, int lostBuckets) {}

    private CompletionStage<Reply> acknowledge(int bucket, long epoch, long least) {
        return scripts.run(
                Call.ACKNOWLEDGE, bucket, marker(bucket), new Args().add(epoch).add(least));
    }

    private byte[][] marker(int bucket) {
        return new byte[][] {names.marker(bucket)};
    }

    private CompletionStage<List<Marker>> read() {
        return all(bucket -> scripts.run(Call.OPEN, bucket, names.markerAndFormer(bucket), new Args())
                .thenApply(reply ->
                        new Marker(reply.number(0), reply.number(1) > 0, reply.number(2) == 1, reply.number(3) > 0)));
    }

    private static long newest(List<Marker> markers) {
        return markers.stream().mapToLong(Marker::epoch).max().orElse(0);
    }

    /** Does something with every bucket at once, in one pipeline. */
    private static <T> CompletionStage<List<T>> all(IntFunction<? extends CompletionStage<T>> work) {
        List<CompletableFuture<T>> parts = new ArrayList<>();
        IntStream.range(0, Names.BUCKETS)
                .forEach(bucket -> parts.add(work.apply(bucket).toCompletableFuture()));
        return Stages.all(parts);
    }
}
