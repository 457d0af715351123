package dev.semel.redis;

import dev.semel.redis.Pages.Listing;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys. How many are settled and how many are not is counted; how they divide into states is looked up in
 * as many records as is reasonable, and estimated from there in a larger store.
 */
final class Survey {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Pages pages;
    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    Survey(Pages pages) {
        this.pages = pages;
    }

    /** The statistics of the last two seconds, or new ones: they are dear. */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = samples(true).thenCombine(samples(false), Survey::statistics);
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    private CompletionStage<List<Listing>> samples(boolean open) {
        return Stages.all(IntStream.range(0, Names.BUCKETS)
                .mapToObj(bucket -> pages.sample(bucket, open))
                .toList());
    }

    private static StoreStatistics statistics(List<Listing> open, List<Listing> settled) {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>();
        boolean exact = true;
        Instant at = Instant.EPOCH;
        long lag = 0;
        for (int bucket = 0; bucket < Names.BUCKETS; bucket++) {
            exact &= add(open.get(bucket), open.get(bucket).open(), keys, ages);
            exact &= add(settled.get(bucket), settled.get(bucket).settled(), keys, ages);
            Instant now = settled.get(bucket).moment().now();
            at = now.isAfter(at) ? now : at;
            lag = Math.max(lag, settled.get(bucket).lag());
        }
        return new StoreStatistics(at, keys, exact, PendingAge.of(ages), -1, -1, Duration.of(lag, ChronoUnit.MICROS));
    }

    /** Adds what is in a sample of this many keys; returns whether that is all of them. */
    private static boolean add(Listing sample, long total, Map<KeyState, Long> keys, List<Duration> ages) {
        int size = sample.entries().size();
        Map<KeyState, Long> seen = new EnumMap<>(KeyState.class);
        sample.keys().forEach(key -> {
            seen.merge(key.state(sample.moment()), 1L, Long::sum);
            if (key.isPending()) {
                ages.add(sample.moment().since(key.claimedAt()));
            }
        });
        double scale = size >= total ? 1 : (double) total / size;
        seen.forEach((state, count) -> keys.merge(state, Math.round(count * scale), Long::sum));
        return size >= total;
    }
}
