package dev.semel.spi.life;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link CasKeyStore} whose engine can also list its cells, so that people and the engine's maintenance can look into it. */
public abstract class ScanningCasKeyStore extends CasKeyStore implements Inspecting {

    /** The least that is looked at for a page, because a filter may leave most of it out. */
    private static final int LEAST_WORK = 100;

    /** The most that is counted for the statistics. */
    private static final int SAMPLE = 10_000;

    private static final int STRIDE = 1000;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    protected ScanningCasKeyStore() {}

    /** Some cells, each with the cursor of its place, and the cursor behind all of them: {@code null} at the end. */
    public record Scan(List<Place> places, @Nullable String next) {}

    /** One cell, and where a scan goes on behind it. */
    public record Place(Cell cell, String cursor) {}

    /**
     * Lists cells in an order that the engine chooses and keeps.
     *
     * @param open whether cells that are not {@linkplain Cell#isOpen open} may be left out
     * @param after where an earlier scan ended; {@code null} for the beginning
     * @param limit the most cells to look at
     */
    protected abstract CompletionStage<Scan> scan(boolean open, @Nullable String after, int limit);

    /** The size of the store in bytes, or -1 if that is not known. */
    protected CompletionStage<Long> bytes() {
        return CompletableFuture.completedFuture(-1L);
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return read(digest).thenApply(cell -> record(cell, clock().moment()));
    }

    private static Optional<KeyRecord> record(@Nullable Cell cell, Moment moment) {
        return cell == null || cell.key() == null || cell.isGone(moment)
                ? Optional.empty()
                : Optional.of(cell.key().toRecord(moment));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        Moment moment = clock().moment();
        int work = Math.max(query.limit(), LEAST_WORK);
        return scan(isOpen(query.state()), query.cursor(), work).thenApply(scan -> {
            List<KeyRecord> matching = new ArrayList<>();
            int last = scan.places().size() - 1;
            for (int i = 0; i <= last; i++) {
                Place place = scan.places().get(i);
                record(place.cell(), moment).filter(query::matches).ifPresent(matching::add);
                if (matching.size() == query.limit() && (i < last || scan.next() != null)) {
                    return new KeyPage(matching, place.cursor());
                }
            }
            return new KeyPage(matching, scan.next());
        });
    }

    private static boolean isOpen(@Nullable KeyState state) {
        return state == KeyState.PENDING || state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }

    /** The statistics of the last ten seconds, or new ones: they are dear. Of a large store, a sample is counted. */
    @Override
    public synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = count(new KeyCount(clock().moment()), null, SAMPLE);
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    private CompletionStage<StoreStatistics> count(KeyCount count, @Nullable String after, int left) {
        return scan(false, after, Math.min(left, STRIDE)).thenCompose(scan -> {
            Moment moment = clock().moment();
            scan.places().stream()
                    .map(Place::cell)
                    .filter(cell -> !cell.isGone(moment))
                    .forEach(cell -> count.add(Objects.requireNonNull(cell.key())));
            return scan.next() == null || left <= STRIDE
                    ? bytes().thenApply(bytes -> count.statistics(scan.next() == null, bytes))
                    : count(count, scan.next(), left - STRIDE);
        });
    }

    @Override
    public CompletionStage<Instant> now() {
        Duration skew = clock().skew();
        return CompletableFuture.completedFuture(clock().moment().now().minus(skew));
    }
}
