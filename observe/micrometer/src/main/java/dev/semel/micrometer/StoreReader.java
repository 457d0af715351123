package dev.semel.micrometer;

import dev.semel.spi.Inspecting;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the statistics of the store. Reading never waits: if they are some seconds old, they are read again in the
 * background, and the next reader gets them.
 */
final class StoreReader {

    private static final Logger log = LoggerFactory.getLogger(StoreReader.class);
    private static final long FRESH = Duration.ofSeconds(5).toNanos();

    private final Inspecting store;
    private final LongSupplier nanos;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable StoreStatistics latest;
    private volatile long askedAt;
    private volatile boolean asked;

    StoreReader(Inspecting store) {
        this(store, System::nanoTime);
    }

    StoreReader(Inspecting store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    /** A number from the latest statistics; NaN if there are none yet. */
    double read(ToDoubleFunction<StoreStatistics> value) {
        askIfOld();
        StoreStatistics known = latest;
        return known == null ? Double.NaN : value.applyAsDouble(known);
    }

    private void askIfOld() {
        if ((asked && nanos.getAsLong() - askedAt < FRESH) || !asking.compareAndSet(false, true)) {
            return;
        }
        asked = true;
        askedAt = nanos.getAsLong();
        try {
            CompletionStage<StoreStatistics> answer = store.statistics();
            answer.whenComplete(this::answered);
        } catch (RuntimeException e) {
            answered(null, e);
        }
    }

    private void answered(@Nullable StoreStatistics statistics, @Nullable Throwable failure) {
        if (failure == null) {
            latest = statistics;
        } else {
            log.debug("the store does not tell its statistics", failure);
        }
        asking.set(false);
    }
}
