package dev.semel.engine;

import java.time.Duration;

/**
 * The time limits of the engine.
 *
 * @param storeTimeout how long one call of the store may take before it is sent again
 * @param claimPatience how long a claim is repeated before the call is refused
 * @param settlePatience how long a caller is kept waiting for its outcome to be stored
 * @param settleGiveUp how long storing an outcome is repeated in the background before it is given up
 * @param maxWaiting how many duplicates may wait at the same time; the next one gets <em>in flight</em>
 * @param shutdownGrace how long closing waits for operations that are running
 * @param answerPatience how long a reconciler may take to answer, and the store to answer the maintenance
 * @param maintenanceInterval how often lapsed keys are resolved and expired ones purged; zero for never
 */
public record EngineSettings(
        Duration storeTimeout,
        Duration claimPatience,
        Duration settlePatience,
        Duration settleGiveUp,
        int maxWaiting,
        Duration shutdownGrace,
        Duration answerPatience,
        Duration maintenanceInterval) {}
