package dev.semel.redis;

import dev.semel.redis.Indexes.Count;
import dev.semel.redis.Indexes.Which;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pages through the buckets. The work for a page is bounded: what a filter leaves out counts as well. */
final class Pages {

    private static final int LEAST_WORK = 100;

    private final Indexes indexes;
    private final Function<Place, CompletionStage<Optional<KeyRecord>>> find;

    Pages(Indexes indexes, Function<Place, CompletionStage<Optional<KeyRecord>>> find) {
        this.indexes = indexes;
        this.find = find;
    }

    CompletionStage<KeyPage> page(KeyQuery query) {
        Place start = Place.parse(query.cursor());
        Which which = which(query.state());
        int work = Math.max(query.limit(), LEAST_WORK);
        return indexes.count(start.bucket()).thenCompose(counts -> {
            List<Place> from = new ArrayList<>();
            long expected = 0;
            int next = Names.BUCKETS;
            for (Count count : counts) {
                if (expected >= work) {
                    next = count.bucket();
                    break;
                }
                if (count.of(which) > 0) {
                    from.add(count.bucket() == start.bucket() ? start : Place.startOf(count.bucket()));
                    // Part of the first bucket may be behind us already.
                    expected += count.bucket() == start.bucket() ? 0 : count.of(which);
                }
            }
            int nextBucket = next;
            return Stages.all(from.stream()
                            .map(place -> indexes.list(place, which, work + 1))
                            .toList())
                    .thenApply(lists -> lists.stream().flatMap(List::stream).toList())
                    .thenCompose(places -> read(places, query, work, nextBucket));
        });
    }

    private CompletionStage<KeyPage> read(List<Place> places, KeyQuery query, int work, int nextBucket) {
        List<Place> examined = places.subList(0, Math.min(work, places.size()));
        Place behind = examined.size() < places.size()
                ? examined.get(examined.size() - 1)
                : nextBucket < Names.BUCKETS ? Place.startOf(nextBucket) : null;
        return Stages.all(examined.stream().map(find).toList())
                .thenApply(records -> page(examined, records, query, behind));
    }

    private static KeyPage page(
            List<Place> places, List<Optional<KeyRecord>> records, KeyQuery query, @Nullable Place behind) {
        List<KeyRecord> matching = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            records.get(i).filter(query::matches).ifPresent(matching::add);
            if (matching.size() == query.limit() && (i < places.size() - 1 || behind != null)) {
                return new KeyPage(matching, places.get(i).cursor());
            }
        }
        return new KeyPage(matching, behind == null ? null : behind.cursor());
    }

    private static Which which(@Nullable KeyState state) {
        if (state == null) {
            return Which.ALL;
        }
        return switch (state) {
            case PENDING, LAPSED, UNKNOWN -> Which.OPEN;
            case SUCCEEDED, FAILED, EXPIRED -> Which.SETTLED;
        };
    }
}
