package dev.semel.redis;

import io.lettuce.core.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
    private static final byte[] EPOCH = ascii("epoch");
    private static final byte[] WAS = ascii("was");
    private static final byte[] READY = ascii("ready");

    /** What is in a bucket: the epoch, or 0 for none. */
    record Marker(long epoch, boolean lost, boolean ready) {}

    private final Server server;
    private final Scripts scripts;
    private final Names names;

    Markers(Server server, Scripts scripts, Names names) {
        this.server = server;
        this.scripts = scripts;
        this.names = names;
    }

    /** The epoch of the store, or 0 if it is not set up. */
    CompletionStage<Long> open(boolean setUpIfEmpty) {
        return read().thenCompose(markers -> {
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
        return setUp(FIRST, "0")
                .thenCompose(epoch -> all(bucket -> setUp(bucket, epoch)).thenApply(done -> epoch))
                .thenCompose(epoch -> server.commands(FIRST)
                        .hset(names.bucket(FIRST), READY, ascii("1"))
                        .thenApply(done -> Long.parseLong(epoch)));
    }

    private CompletionStage<String> setUp(int bucket, String epoch) {
        return scripts.run(Call.SETUP, bucket, bucketAndIndex(bucket), new Args().add(epoch))
                .thenApply(reply -> reply.text(0));
    }

    /** Begins a new epoch in every bucket; returns it, and in how many buckets the one before was lost. */
    CompletionStage<Acknowledged> acknowledge(long known) {
        return read().thenCompose(markers -> {
            long least = Math.max(known, newest(markers)) + 1;
            return acknowledge(FIRST, "0", least)
                    .thenCompose(first -> all(bucket -> bucket == FIRST
                                    ? CompletableFuture.completedFuture(first)
                                    : acknowledge(bucket, first.text(0), least))
                            .thenApply(replies -> new Acknowledged(first.numeral(0), (int) replies.stream()
                                    .filter(reply -> !reply.text(1).equals("intact"))
                                    .count())));
        });
    }

    record Acknowledged(long epoch, int lostBuckets) {}

    private CompletionStage<Reply> acknowledge(int bucket, String epoch, long least) {
        return scripts.run(
                Call.ACKNOWLEDGE,
                bucket,
                bucketAndIndex(bucket),
                new Args().add(epoch).add(least));
    }

    private byte[][] bucketAndIndex(int bucket) {
        return new byte[][] {names.bucket(bucket), names.index(bucket)};
    }

    private CompletionStage<List<Marker>> read() {
        return all(bucket -> server.commands(bucket)
                .hmget(names.bucket(bucket), EPOCH, WAS, READY)
                .thenApply(Markers::marker));
    }

    private static Marker marker(List<KeyValue<byte[], byte[]>> fields) {
        String epoch = text(fields.get(0));
        boolean lost = "lost".equals(epoch);
        String number = lost ? text(fields.get(1)) : epoch;
        return new Marker(
                number == null ? 0 : Long.parseLong(number), lost, fields.get(2).hasValue());
    }

    private static @Nullable String text(KeyValue<byte[], byte[]> field) {
        return field.hasValue() ? new String(field.getValue(), StandardCharsets.US_ASCII) : null;
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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
