package dev.semel.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a store holds, over all nodes.
 *
 * @param at when this was measured, by the store's clock; stores may answer from a short-lived cache
 * @param keys how many keys are in each state
 * @param exact whether the counts are exact or estimated
 * @param bytes size on disk or in memory, or -1 if the store cannot tell
 * @param deadRows rows that are dead but not yet reclaimed, or -1 if the store cannot tell
 * @param purgeLag how long ago the oldest record that should be gone could have been purged
 */
public record StoreStatistics(
        Instant at,
        Map<KeyState, Long> keys,
        boolean exact,
        PendingAge pendingAge,
        long bytes,
        long deadRows,
        Duration purgeLag) {

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
}
