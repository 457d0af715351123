package dev.semel.engine;

import java.time.Duration;

/**
 * How patient the engine is.
 *
 * @param storeTimeout how long one call of the store may take before it is sent again
 * @param claimPatience how long a claim is repeated before the call is refused
 * @param settlePatience how long a caller is kept waiting for its outcome to be stored
 * @param settleGiveUp how long storing an outcome is repeated in the background before it is given up
 * @param maxWaiting how many duplicates may wait at once; the next is told that the operation is in flight
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
        Duration maintenanceInterval) {

    public static final EngineSettings DEFAULT = new EngineSettings(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofMinutes(10),
            10_000,
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30));

    public EngineSettings withStoreTimeout(Duration timeout) {
        return new EngineSettings(
                timeout,
                claimPatience,
                settlePatience,
                settleGiveUp,
                maxWaiting,
                shutdownGrace,
                answerPatience,
                maintenanceInterval);
    }

    public EngineSettings withPatience(Duration claim, Duration settle) {
        return new EngineSettings(
                storeTimeout,
                claim,
                settle,
                settleGiveUp,
                maxWaiting,
                shutdownGrace,
                answerPatience,
                maintenanceInterval);
    }

    public EngineSettings withMaxWaiting(int waiting) {
        return new EngineSettings(
                storeTimeout,
                claimPatience,
                settlePatience,
                settleGiveUp,
                waiting,
                shutdownGrace,
                answerPatience,
                maintenanceInterval);
    }

    public EngineSettings withShutdownGrace(Duration grace) {
        return new EngineSettings(
                storeTimeout,
                claimPatience,
                settlePatience,
                settleGiveUp,
                maxWaiting,
                grace,
                answerPatience,
                maintenanceInterval);
    }

    public EngineSettings withMaintenanceInterval(Duration interval) {
        return new EngineSettings(
                storeTimeout,
                claimPatience,
                settlePatience,
                settleGiveUp,
                maxWaiting,
                shutdownGrace,
                answerPatience,
                interval);
    }

    public EngineSettings withAnswerPatience(Duration patience) {
        return new EngineSettings(
                storeTimeout,
                claimPatience,
                settlePatience,
                settleGiveUp,
                maxWaiting,
                shutdownGrace,
                patience,
                maintenanceInterval);
    }
}
