package dev.semel.redis;

import dev.semel.redis.Indexes.Count;
import dev.semel.redis.Indexes.Which;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys. How many are settled and how many are not is counted; how they divide into states is looked up in
 * as many records as is reasonable, and estimated from there in a larger store.
 */
final class Survey {

    private static final int SAMPLE = 2000;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Indexes indexes;
    private final Function<Place, CompletionStage<Reply>> glance;
    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    Survey(Indexes indexes, Function<Place, CompletionStage<Reply>> glance) {
        this.indexes = indexes;
        this.glance = glance;
    }

    /** The statistics of the last two seconds, or new ones: they are dear. */
    synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = take();
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    private CompletionStage<StoreStatistics> take() {
        return indexes.count(0).thenCompose(counts -> {
            List<Count> order = new ArrayList<>(counts);
            Collections.shuffle(order);
            CompletionStage<Sample> settled = sample(order, Which.SETTLED);
            return sample(order, Which.OPEN).thenCombine(settled, (open, closed) -> statistics(counts, open, closed));
        });
    }

    /** Some of the keys, bucket by bucket: keys fall into buckets by chance, so some buckets stand for all. */
    private CompletionStage<Sample> sample(List<Count> counts, Which which) {
        List<CompletionStage<List<Place>>> lists = new ArrayList<>();
        long wanted = 0;
        for (Count count : counts) {
            long size = count.of(which);
            if (size > 0 && wanted < SAMPLE) {
                int limit = (int) Math.min(size, SAMPLE - wanted);
                lists.add(indexes.list(Place.startOf(count.bucket()), which, limit));
                wanted += limit;
            }
        }
        long total = counts.stream().mapToLong(count -> count.of(which)).sum();
        return Stages.all(lists)
                .thenCompose(places -> Stages.all(
                        places.stream().flatMap(List::stream).map(glance).toList()))
                .thenApply(glances -> new Sample(glances, total));
    }

    private record Sample(List<Reply> glances, long total) {

        boolean isComplete() {
            return glances.size() >= total;
        }

        void addTo(Map<KeyState, Long> keys, List<Duration> ages) {
            Map<KeyState, Long> seen = new EnumMap<>(KeyState.class);
            for (Reply glance : glances) {
                state(glance.text(0)).ifPresent(state -> {
                    seen.merge(state, 1L, Long::sum);
                    if (state == KeyState.PENDING || state == KeyState.LAPSED) {
                        ages.add(Micros.duration(glance.number(1)));
                    }
                });
            }
            double scale = isComplete() ? 1 : (double) total / glances.size();
            seen.forEach((state, count) -> keys.merge(state, Math.round(count * scale), Long::sum));
        }

        private static Optional<KeyState> state(String name) {
            return name.equals("absent")
                    ? Optional.empty()
                    : Optional.of(KeyState.valueOf(name.toUpperCase(Locale.ROOT)));
        }
    }

    private static StoreStatistics statistics(List<Count> counts, Sample open, Sample settled) {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>();
        open.addTo(keys, ages);
        settled.addTo(keys, ages);
        long now = counts.stream().mapToLong(Count::now).max().orElseThrow();
        long lag = counts.stream().mapToLong(Count::lag).max().orElseThrow();
        return new StoreStatistics(
                Micros.instant(now),
                keys,
                open.isComplete() && settled.isComplete(),
                PendingAge.of(ages),
                -1,
                -1,
                Micros.duration(lag));
    }
}
