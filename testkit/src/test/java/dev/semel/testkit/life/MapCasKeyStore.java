package dev.semel.testkit.life;

import dev.semel.KeyDigest;
import dev.semel.spi.life.Cell;
import dev.semel.spi.life.ScanningCasKeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.spi.life.StoredKeyBytes;
import dev.semel.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The least that a store on an engine with compare-and-swap has to be: here the engine is a map. */
final class MapCasKeyStore extends ScanningCasKeyStore {

    /** What the engine keeps: bytes, and what it needs to know of them. */
    record Row(
            long version,
            long token,
            byte @Nullable [] key,
            @Nullable Instant removableAt) {}

    private final ConcurrentNavigableMap<KeyDigest, Row> rows;
    private final SharedClock clock;
    private final boolean saysWhatItFound;

    MapCasKeyStore(ConcurrentNavigableMap<KeyDigest, Row> rows, SharedClock clock, boolean saysWhatItFound) {
        super("the store in a map", failure -> new StoreException("the map failed", failure));
        this.rows = rows;
        this.clock = clock;
        this.saysWhatItFound = saysWhatItFound;
    }

    @Override
    protected CompletionStage<@Nullable Cell> read(KeyDigest digest) {
        return CompletableFuture.completedFuture(cell(rows.get(digest)));
    }

    private static @Nullable Cell cell(@Nullable Row row) {
        return row == null
                ? null
                : new Cell(
                        row.version(),
                        row.token(),
                        row.key() == null ? null : StoredKeyBytes.decode(row.key()),
                        row.removableAt());
    }

    @Override
    protected CompletionStage<Swap> swap(KeyDigest digest, long expectedVersion, Cell next) {
        Row row = new Row(
                next.version(),
                next.token(),
                next.key() == null ? null : StoredKeyBytes.encode(next.key()),
                next.removableAt());
        AtomicBoolean done = new AtomicBoolean();
        Row after = rows.compute(digest, (same, before) -> {
            done.set((before == null ? Cell.ABSENT : before.version()) == expectedVersion);
            return done.get() ? row : before;
        });
        return CompletableFuture.completedFuture(
                new Swap(done.get(), done.get() || !saysWhatItFound ? null : cell(after)));
    }

    @Override
    protected CompletionStage<Scan> scan(Wanted wanted, @Nullable String after, int limit) {
        Stream<KeyDigest> digests =
                (after == null ? rows : rows.tailMap(KeyDigest.parse(after), false)).keySet().stream();
        List<Place> places = digests.limit(limit)
                .map(digest -> new Place(cell(rows.get(digest)), digest.toString()))
                .toList();
        return CompletableFuture.completedFuture(new Scan(
                places, places.size() < limit ? null : places.get(limit - 1).cursor()));
    }

    @Override
    protected SharedClock clock() {
        return clock;
    }

    @Override
    protected CompletionStage<Size> size() {
        return CompletableFuture.completedFuture(new Size(rows.size(), -1));
    }

    @Override
    protected void closeEngine() {}
}
