package dev.semel.dynamodb;

import dev.semel.dynamodb.Pages.Entry;
import dev.semel.dynamodb.Pages.Listing;
import dev.semel.dynamodb.Pages.OpenPlace;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Counts the keys. A small table is read whole; of a large one the keys that are not settled are looked up by their
 * index, and the others estimated from how many items DynamoDB says there are, which it counts every six hours.
 */
final class Survey {

    private static final int SAMPLE = 1000;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Table table;
    private final Pages pages;
    private final Supplier<Moment> clock;
    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    Survey(Table table, Pages pages, Supplier<Moment> clock) {
        this.table = table;
        this.pages = pages;
        this.clock = clock;
    }

    /** The statistics of the last ten seconds, or new ones: they are dear. */
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
        return pages.scan(null, SAMPLE)
                .thenCombine(table.describe(), (scanned, described) -> {
                    Count count = new Count(clock.get());
                    scanned.entries().forEach(entry -> count.add(Objects.requireNonNull(entry.item())));
                    return scanned.next() == null
                            ? CompletableFuture.completedFuture(count.statistics(true, described.table()))
                            : estimate(count, described.table()).toCompletableFuture();
                })
                .thenCompose(result -> result);
    }

    /** The keys that are not settled are counted one by one: they are few, and what people want to know. */
    private CompletionStage<StoreStatistics> estimate(Count sample, TableDescription description) {
        return pages.open(OpenPlace.parse(null), SAMPLE).thenCompose(this::read).thenApply(items -> {
            Count count = new Count(clock.get());
            items.forEach(count::add);
            count.addSettled(sample, description.itemCount());
            return count.statistics(false, description);
        });
    }

    private CompletionStage<List<Item>> read(Listing open) {
        return Stages.all(open.entries().stream()
                        .map(Entry::digest)
                        .map(table::read)
                        .toList())
                .thenApply(found -> found.stream().flatMap(Optional::stream).toList());
    }

    private static final class Count {

        private final Moment moment;
        private final Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        private final List<Duration> ages = new ArrayList<>();
        private long gone;

        Count(Moment moment) {
            this.moment = moment;
        }

        void add(Item item) {
            if (item.isGone(moment)) {
                gone++;
                return;
            }
            keys.merge(item.keyState(moment), 1L, Long::sum);
            if (item.state() == State.PENDING) {
                ages.add(moment.since(item.time(Attributes.CLAIMED)));
            }
        }

        /** Divides the settled keys of the table like those of a sample. */
        void addSettled(Count sample, long items) {
            long open = keys.values().stream().mapToLong(n -> n).sum();
            List<KeyState> settled = List.of(KeyState.SUCCEEDED, KeyState.FAILED, KeyState.EXPIRED);
            long sampled = settled.stream()
                    .mapToLong(state -> sample.keys.getOrDefault(state, 0L))
                    .sum();
            double scale = sampled == 0 ? 0 : Math.max(1, (double) (items - open) / (sampled + sample.gone));
            for (KeyState state : settled) {
                keys.put(state, Math.round(sample.keys.getOrDefault(state, 0L) * scale));
            }
        }

        StoreStatistics statistics(boolean exact, TableDescription description) {
            long bytes = description.tableSizeBytes() == null ? -1 : description.tableSizeBytes();
            return new StoreStatistics(moment.now(), keys, exact, PendingAge.of(ages), bytes, -1, Duration.ZERO);
        }
    }
}
