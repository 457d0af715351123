package dev.semel.spi;

import java.time.Duration;
import java.time.Instant;
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
    }
}
