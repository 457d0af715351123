package dev.semel.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Statistics about the keys of a store, over all nodes. */
public final class StoreStatistics {

    private final Instant at;
    private final Map<KeyState, Long> keys;
    private final boolean exact;
    private final PendingAge pendingAge;
    private final long bytes;
    private final long deadRows;
    private final Duration purgeLag;

    private StoreStatistics(Builder builder) {
        this.at = builder.at;
        this.keys = builder.keys;
        this.exact = builder.exact;
        this.pendingAge = builder.pendingAge;
        this.bytes = builder.bytes;
        this.deadRows = builder.deadRows;
        this.purgeLag = builder.purgeLag;
    }

    /** Starts building statistics, with exact counts of the keys in each state. */
    public static Builder builder(Instant at, Map<KeyState, Long> keys) {
        return new Builder(at, keys);
    }

    /** When this was measured, by the store's clock; stores may answer from a short-lived cache. */
    public Instant at() {
        return at;
    }

    /** How many keys are in each state. */
    public Map<KeyState, Long> keys() {
        return keys;
    }

    /** Whether the counts are exact or estimated. */
    public boolean exact() {
        return exact;
    }

    public PendingAge pendingAge() {
        return pendingAge;
    }

    /** Size on disk or in memory, or -1 if the store cannot tell. */
    public long bytes() {
        return bytes;
    }

    /** Rows that are dead but not yet reclaimed, or -1 if the store cannot tell. */
    public long deadRows() {
        return deadRows;
    }

    /** How long the oldest expired record has been overdue for purge. */
    public Duration purgeLag() {
        return purgeLag;
    }

    @Override
    public String toString() {
        return "StoreStatistics[at=" + at + " keys=" + keys + " exact=" + exact + "]";
    }

    /** How old the claims of pending and lapsed keys are. */
    public record PendingAge(Duration p50, Duration p95, Duration p99, Duration max) {

        public static final PendingAge NONE =
                new PendingAge(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

        /** Measures the ages of all claims, given in any order. */
        public static PendingAge of(List<Duration> ages) {
            if (ages.isEmpty()) {
                return NONE;
            }
            List<Duration> sorted = ages.stream().sorted().toList();
            return new PendingAge(rank(sorted, 0.50), rank(sorted, 0.95), rank(sorted, 0.99), rank(sorted, 1));
        }

        private static Duration rank(List<Duration> sorted, double quantile) {
            return sorted.get((int) Math.ceil(quantile * sorted.size()) - 1);
        }
    }

    /** Makes {@link StoreStatistics}. */
    public static final class Builder {

        private final Instant at;
        private final Map<KeyState, Long> keys;
        private boolean exact = true;
        private PendingAge pendingAge = PendingAge.NONE;
        private long bytes = -1;
        private long deadRows = -1;
        private Duration purgeLag = Duration.ZERO;

        private Builder(Instant at, Map<KeyState, Long> keys) {
            this.at = at;
            this.keys = keys;
        }

        public Builder exact(boolean exact) {
            this.exact = exact;
            return this;
        }

        public Builder pendingAge(PendingAge pendingAge) {
            this.pendingAge = pendingAge;
            return this;
        }

        public Builder bytes(long bytes) {
            this.bytes = bytes;
            return this;
        }

        public Builder deadRows(long deadRows) {
            this.deadRows = deadRows;
            return this;
        }

        public Builder purgeLag(Duration purgeLag) {
            this.purgeLag = purgeLag;
            return this;
        }

        public StoreStatistics build() {
            return new StoreStatistics(this);
        }
    }
}
