package dev.semel.policy;

import dev.semel.util.Durations;
import java.time.Duration;

/**
 * How long a settled key is remembered.
 *
 * @param active how long duplicates get the stored outcome, from the moment the key is settled
 * @param audit how much longer the record is kept for people to look at; zero for none
 * @param tombstone how much longer than {@code active} the key is answered as expired instead of being free again;
 * zero if the key is free again immediately
 */
public record Retention(Duration active, Duration audit, Duration tombstone) {

    /** The default: 24 hours, without audit window and tombstone. */
    public static final Retention DEFAULT = of(Duration.ofHours(24));

    public Retention {
        Durations.requirePositive("retention", active);
        Durations.requireNotNegative("audit window", audit);
        Durations.requireNotNegative("tombstone window", tombstone);
    }

    /** Retention without audit window and tombstone. */
    public static Retention of(Duration active) {
        return new Retention(active, Duration.ZERO, Duration.ZERO);
    }

    public Retention withAudit(Duration window) {
        return new Retention(active, window, tombstone);
    }

    public Retention withTombstone(Duration window) {
        return new Retention(active, audit, window);
    }

    public boolean leavesTombstone() {
        return !tombstone.isZero();
    }

    /** How long after it was settled the record may be removed. */
    public Duration total() {
        return active.plus(audit.compareTo(tombstone) > 0 ? audit : tombstone);
    }
}
