package dev.semel.redis;

import dev.semel.spi.ForwardedCall;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lists and counts keys, bucket by bucket, and in each bucket in the order of its index. */
final class Inspection {

    private static final int LEAST_WORK = 100;

    /** What one call lists: more would hold up the other callers of Redis for longer. */
    private static final int AT_ONCE = 250;

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A bucket, and perhaps the score and the digest of the key behind which to go on. */
    private static final Pattern CURSOR = Pattern.compile("([0-9]|1[0-5])(?::([0-9]{1,16}):([0-9a-f]{32}))?");

    private record Entry(String cursor, @Nullable StoredKey key) {}

    /** Some keys of a bucket, how many it has, and for how many microseconds the oldest has been due to be purged. */
    private record Listing(
            int bucket, Moment moment, long open, long settled, long lag, boolean more, List<Entry> entries) {

        /** Where to go on, or {@code null} at the end. */
        @Nullable
        String next() {
            if (more) {
                return entries.get(entries.size() - 1).cursor();
            }
            return bucket + 1 < Names.BUCKETS ? Integer.toString(bucket + 1) : null;
        }
    }

    private final Scripts scripts;
    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    Inspection(Scripts scripts) {
        this.scripts = scripts;
    }

    private CompletionStage<Listing> list(String cursor, String which, int limit, boolean sample) {
        Matcher place = CURSOR.matcher(cursor);
        if (!place.matches()) {
            throw new IllegalArgumentException("\"" + cursor + "\" is no cursor of a store in Redis");
        }
        int bucket = Integer.parseInt(place.group(1));
        CompletionStage<List<Object>> call = place.group(2) == null
                ? scripts.run("list", bucket, which, limit, sample ? 1 : 0)
                : scripts.run("list", bucket, which, limit, sample ? 1 : 0, place.group(2), place.group(3));
        return Stages.map(call, answer -> {
            List<Entry> entries = new ArrayList<>();
            for (int i = 5; i < answer.size(); i += 3) {
                String found = bucket + ":" + text(answer.get(i)) + ":" + text(answer.get(i + 1));
                entries.add(new Entry(found, Records.decode((byte[]) answer.get(i + 2))));
            }
            return new Listing(
                    bucket,
                    Moment.of(Micros.instant((Long) answer.get(0))),
                    (Long) answer.get(1),
                    (Long) answer.get(2),
                    (Long) answer.get(3),
                    (Long) answer.get(4) == 1,
                    entries);
        });
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.US_ASCII);
    }

    /** The work for a page is bounded: what a filter leaves out counts as well. */
    CompletionStage<KeyPage> page(KeyQuery query) {
        String cursor = query.cursor() == null ? "0" : query.cursor();
        return page(query, cursor, Math.max(query.limit(), LEAST_WORK), new ArrayList<>());
    }

    private CompletionStage<KeyPage> page(KeyQuery query, String after, int work, List<KeyRecord> matching) {
        return ForwardedCall.compose(list(after, which(query), Math.min(work, AT_ONCE), false), listing -> {
            String next = listing.next();
            for (Entry entry : listing.entries()) {
                KeyRecord record = entry.key() == null ? null : entry.key().toRecord(listing.moment());
                if (record != null && query.matches(record)) {
                    if (matching.size() == query.limit()) {
                        break;
                    }
                    matching.add(record);
                    next = matching.size() == query.limit() ? entry.cursor() : next;
                }
            }
            int left = work - listing.entries().size();
            return next == null || left <= 0 || matching.size() == query.limit()
                    ? CompletableFuture.completedFuture(new KeyPage(matching, next))
                    : page(query, next, left, matching);
        });
    }

    private static String which(KeyQuery query) {
        KeyState state = query.state();
        return switch (state == null ? KeyState.EXPIRED : state) {
            case PENDING, LAPSED, UNKNOWN -> "open";
            case SUCCEEDED, FAILED, EXPIRED -> state == null ? "all" : "settled";
        };
    }

    /**
     * The statistics of the last two seconds, or new ones: they are dear. How many keys are settled and how many are not is
     * counted; how they divide into states is looked up in as many records as is reasonable, and estimated from there in a
     * larger store.
     */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = samples("open").thenCombine(samples("settled"), Inspection::statistics);
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    private CompletionStage<List<Listing>> samples(String which) {
        return Stages.all(IntStream.range(0, Names.BUCKETS)
                .mapToObj(bucket -> list(Integer.toString(bucket), which, AT_ONCE, true))
                .toList());
    }

    private static StoreStatistics statistics(List<Listing> open, List<Listing> settled) {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>();
        boolean exact = true;
        Instant at = Instant.EPOCH;
        long lag = 0;
        for (Listing sample : open) {
            exact &= add(sample, sample.open(), keys, ages);
        }
        for (Listing sample : settled) {
            exact &= add(sample, sample.settled(), keys, ages);
            at = sample.moment().now().isAfter(at) ? sample.moment().now() : at;
            lag = Math.max(lag, sample.lag());
        }
        return new StoreStatistics(at, keys, exact, PendingAge.of(ages), -1, -1, Duration.of(lag, ChronoUnit.MICROS));
    }

    /** Adds what is in a sample of this many keys; returns whether that is all of them. */
    private static boolean add(Listing sample, long total, Map<KeyState, Long> keys, List<Duration> ages) {
        Map<KeyState, Long> seen = new EnumMap<>(KeyState.class);
        for (Entry entry : sample.entries()) {
            StoredKey key = entry.key();
            if (key != null) {
                seen.merge(key.state(sample.moment()), 1L, Long::sum);
                if (key.isPending()) {
                    ages.add(sample.moment().since(key.claimedAt()));
                }
            }
        }
        int size = sample.entries().size();
        double scale = size >= total ? 1 : (double) total / size;
        seen.forEach((state, count) -> keys.merge(state, Math.round(count * scale), Long::sum));
        return size >= total;
    }
}
