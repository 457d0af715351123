package dev.semel.spi.life;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A {@link CasKeyStore} whose engine can also list its cells, which makes it {@code Inspecting}. */
public abstract class ScanningCasKeyStore extends CasKeyStore implements Inspecting {

    /** The fewest cells that a page looks at, because a filter may leave out most of them. */
    private static final int LEAST_WORK = 100;

    /** The most cells that the statistics look at. */
    private static final int SAMPLE = 1000;

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private @Nullable CompletionStage<StoreStatistics> latest;
    private long latestAt;

    /** See the constructor of {@link CasKeyStore}. */
    protected ScanningCasKeyStore(String name, Function<Throwable, StoreException> failures) {
        super(name, failures);
    }

    /** Which cells a scan returns. */
    public enum Wanted {
        /** All cells. */
        ALL,
        /** The cells of {@linkplain Cell#isOpen open} keys; others may be left out. */
        OPEN,
        /** All cells, to be counted: payloads of outcomes may be left out. */
        COUNTED
    }

    /** Some cells, each with the cursor of its place, and the cursor behind all of them: {@code null} at the end. */
    public record Scan(List<Place> places, @Nullable String next) {}

    /** One cell, and the cursor for the rest of the scan. */
    public record Place(Cell cell, String cursor) {}

    /**
     * How large the store is.
     *
     * @param cells about how many cells there are, or -1 if that is not known
     * @param bytes about how many bytes they take, or -1 if that is not known
     */
    public record Size(long cells, long bytes) {}

    /**
     * Lists cells in an order that the engine chooses and keeps.
     *
     * @param after where an earlier scan ended; {@code null} for the beginning
     * @param limit the most cells to look at
     */
    protected abstract CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit);

    protected abstract CompletionStage<Size> size();

    /** The result of a scan that has only found digests: each cell is read by itself, and its digest is the cursor. */
    protected final CompletionStage<Scan> readEach(List<KeyDigest> digests, boolean atTheEnd) {
        List<String> cursors = digests.stream().map(KeyDigest::toString).toList();
        String next = atTheEnd ? null : cursors.get(cursors.size() - 1);
        return whenRead(cursors, digests.stream().map(this::read).toList(), next);
    }

    /** The result of a scan whose cells are still being read, each with its cursor. */
    protected static CompletionStage<Scan> whenRead(
            List<String> cursors, List<CompletionStage<@Nullable Cell>> cells, @Nullable String next) {
        CompletableFuture<?>[] reads =
                cells.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(reads).thenApply(done -> {
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < reads.length; i++) {
                Cell cell = (Cell) reads[i].join();
                if (cell != null) {
                    places.add(new Place(cell, cursors.get(i)));
                }
            }
            return new Scan(places, next);
        });
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return tracked(() -> sendRead(digest, 1).thenApply(cell -> record(cell, clock().moment())));
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
        Wanted wanted = isOpen(query.state()) ? Wanted.OPEN : Wanted.ALL;
        return tracked(() -> scan(wanted, query.cursor(), work).thenApply(scan -> {
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
        }));
    }

    private static boolean isOpen(@Nullable KeyState state) {
        return state == KeyState.PENDING || state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }

    /** The statistics, at most ten seconds old because they are expensive. A large store is sampled. */
    @Override
    public synchronized CompletionStage<StoreStatistics> statistics() {
        CompletionStage<StoreStatistics> known = latest;
        boolean failed = known != null && known.toCompletableFuture().isCompletedExceptionally();
        if (known == null || failed || System.nanoTime() - latestAt > FRESH_NANOS) {
            known = tracked(this::count);
            latest = known;
            latestAt = System.nanoTime();
        }
        return known;
    }

    /** A small store is counted whole. Of a large one, open keys are, and the others are estimated from a sample. */
    private CompletionStage<StoreStatistics> count() {
        return scan(Wanted.COUNTED, null, SAMPLE)
                .thenCombine(size(), (scanned, size) -> {
                    KeyCount sample = counted(scanned, cell -> true);
                    return scanned.next() == null
                            ? CompletableFuture.completedFuture(sample.statistics(true, size.bytes()))
                            : scan(Wanted.OPEN, null, SAMPLE)
                                    .thenApply(open -> {
                                        KeyCount estimate = counted(open, Cell::isOpen);
                                        estimate.addSettled(sample, size.cells());
                                        return estimate.statistics(false, size.bytes());
                                    })
                                    .toCompletableFuture();
                })
                .thenCompose(result -> result);
    }

    private KeyCount counted(Scan scan, Predicate<Cell> which) {
        Moment moment = clock().moment();
        KeyCount count = new KeyCount(moment);
        scan.places().stream()
                .map(Place::cell)
                .filter(which)
                .filter(cell -> !cell.isGone(moment))
                .forEach(cell -> count.add(Objects.requireNonNull(cell.key())));
        return count;
    }

    @Override
    public CompletionStage<Instant> now() {
        Duration skew = clock().skew();
        return tracked(
                () -> CompletableFuture.completedFuture(clock().moment().now().minus(skew)));
    }
}
