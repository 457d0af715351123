package dev.semel.redis;

import dev.semel.spi.ForwardedCall;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.KeyCount;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.util.Micros;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lists, counts and purges keys, bucket by bucket, and in each bucket in the order of its index. */
final class Buckets {

    // One call lists or purges no more: that would hold up the other callers of Redis for longer.
    private static final int MOST_LISTED = 250;
    private static final int MOST_PURGED = 64;
    private static final int LEAST_WORK = 100;
    private static final Set<KeyState> OPEN = EnumSet.of(KeyState.PENDING, KeyState.LAPSED, KeyState.UNKNOWN);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A bucket, and perhaps the score and the digest of the key behind which to go on. */
    private static final Pattern CURSOR = Pattern.compile("([0-9]|1[0-5])(?::([0-9]{1,16}):([0-9a-f]{32}))?");

    private record Entry(String cursor, @Nullable StoredKey key) {}

    /** Some keys of a bucket, and how many it has in all. */
    private record Listing(int bucket, Moment moment, long open, long settled, boolean more, List<Entry> keys) {

        /** The place to continue at, or {@code null} at the end. */
        @Nullable
        String next() {
            String nextBucket = bucket + 1 < Names.BUCKETS ? Integer.toString(bucket + 1) : null;
            return more ? keys.get(keys.size() - 1).cursor() : nextBucket;
        }
    }

    private final Scripts scripts;
    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    Buckets(Scripts scripts) {
        this.scripts = scripts;
    }

    /** Runs a command for every bucket, in one pipeline. */
    static <T> CompletionStage<List<T>> all(IntFunction<CompletionStage<T>> work) {
        return Stages.all(IntStream.range(0, Names.BUCKETS).mapToObj(work).toList());
    }

    private CompletionStage<Listing> list(String cursor, String which, int limit, int sample) {
        Matcher place = CURSOR.matcher(cursor);
        if (!place.matches()) {
            throw new IllegalArgumentException("\"" + cursor + "\" is not a cursor of a store in Redis");
        }
        int bucket = Integer.parseInt(place.group(1));
        String score = Objects.requireNonNullElse(place.group(2), "");
        String digest = Objects.requireNonNullElse(place.group(3), "");
        return ForwardedCall.map(scripts.run("list", bucket, which, limit, sample, score, digest), answer -> {
            List<Entry> keys = new ArrayList<>();
            for (int i = 4; i < answer.size(); i += 3) {
                String found = bucket + ":" + Scripts.text(answer.get(i)) + ":" + Scripts.text(answer.get(i + 1));
                keys.add(new Entry(found, Records.decode((byte[]) answer.get(i + 2))));
            }
            Moment moment = Moment.of(Micros.toInstant((Long) answer.get(0)));
            boolean more = (Long) answer.get(3) == 1;
            return new Listing(bucket, moment, (Long) answer.get(1), (Long) answer.get(2), more, keys);
        });
    }

    /** The work for a page is bounded: keys that the filter leaves out count too. */
    CompletionStage<KeyPage> page(KeyQuery query) {
        String cursor = query.cursor() == null ? "0" : query.cursor();
        return page(query, cursor, Math.max(query.limit(), LEAST_WORK), new ArrayList<>());
    }

    private CompletionStage<KeyPage> page(KeyQuery query, String after, int work, List<KeyRecord> matching) {
        return ForwardedCall.compose(list(after, which(query.state()), Math.min(work, MOST_LISTED), 0), listing -> {
            for (Entry entry : listing.keys()) {
                StoredKey key = entry.key();
                KeyRecord record = key == null ? null : key.toRecord(listing.moment());
                if (record != null && query.matches(record)) {
                    matching.add(record);
                }
                if (matching.size() == query.limit()) {
                    return CompletableFuture.completedFuture(new KeyPage(matching, entry.cursor()));
                }
            }
            String next = listing.next();
            int left = work - listing.keys().size();
            return next == null || left <= 0
                    ? CompletableFuture.completedFuture(new KeyPage(matching, next))
                    : page(query, next, left, matching);
        });
    }

    private static String which(@Nullable KeyState state) {
        return state == null ? "all" : OPEN.contains(state) ? "open" : "settled";
    }

    /**
     * The statistics, at most two seconds old because they are expensive. Settled and unsettled keys are counted; in a
     * larger store, their states are estimated from a sample.
     */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = samples("open").thenCombine(samples("settled"), Buckets::statistics);
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    private CompletionStage<List<Listing>> samples(String which) {
        return all(bucket -> list(Integer.toString(bucket), which, MOST_LISTED, 1));
    }

    private static StoreStatistics statistics(List<Listing> open, List<Listing> settled) {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        StoreStatistics pending =
                count(open, open.stream().mapToLong(Listing::open).sum(), keys);
        StoreStatistics done =
                count(settled, settled.stream().mapToLong(Listing::settled).sum(), keys);
        return StoreStatistics.builder(done.at(), keys)
                .exact(pending.exact() && done.exact())
                .pendingAge(pending.pendingAge())
                .purgeLag(done.purgeLag())
                .build();
    }

    /** Counts samples of this many keys, and extrapolates to all keys. */
    private static StoreStatistics count(List<Listing> samples, long total, Map<KeyState, Long> keys) {
        KeyCount count = new KeyCount(
                Collections.max(samples.stream().map(Listing::moment).toList(), Comparator.comparing(Moment::now)));
        List<Entry> sample =
                samples.stream().flatMap(listing -> listing.keys().stream()).toList();
        sample.stream().map(Entry::key).filter(Objects::nonNull).forEach(count::add);
        StoreStatistics counted = count.statistics(sample.size() >= total, -1);
        double scale = counted.exact() ? 1 : (double) total / sample.size();
        counted.keys().forEach((state, number) -> keys.merge(state, Math.round(number * scale), Long::sum));
        return counted;
    }

    /**
     * The time; in a cluster, that of the server whose clock is furthest behind, because each decides for its own keys.
     */
    CompletionStage<Instant> now() {
        return all(bucket -> scripts.run("time", bucket))
                .thenApply(times -> Micros.toInstant(Collections.min(
                        times.stream().map(time -> (Long) time.get(0)).toList())));
    }

    /** Purges this many buckets, beginning with one. */
    CompletionStage<Purged> purge(int bucket, int buckets, int limit, Purged before) {
        if (buckets == 0) {
            return CompletableFuture.completedFuture(before);
        }
        long most = Math.min(limit - before.removed(), MOST_PURGED);
        return ForwardedCall.compose(scripts.run("purge", bucket % Names.BUCKETS, most), answer -> {
            long removed = before.removed() + (Long) answer.get(0);
            boolean more = before.more() || (Long) answer.get(1) == 1;
            return purge(bucket + 1, buckets - 1, limit, new Purged(removed, more));
        });
    }
}
