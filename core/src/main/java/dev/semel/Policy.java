package dev.semel;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * How one operation is made safe to retry.
 *
 * @param operation the operation's name, for people and metrics
 * @param lease how long an attempt owns the key without a sign of life; the heartbeat renews it while the operation runs
 * @param notExecuted which failures of the operation mean that it did not execute, so that the key is released;
 *     {@link NotExecutedException} always does
 * @param refused which outcomes mean that the operation was refused before it executed, so that the key is released
 * @param maxPayload the largest payload, in bytes, that is kept for replay; a larger outcome is stored without it
 */
public record Policy(
        String operation,
        Mode mode,
        Duration lease,
        Retention retention,
        Duplicates duplicates,
        Recovery recovery,
        WhenStoreIsDown whenStoreIsDown,
        Predicate<Throwable> notExecuted,
        Predicate<Outcome> refused,
        int maxPayload) {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
    public static final int DEFAULT_MAX_PAYLOAD = 1 << 20;

    /** A shorter lease would lapse between two heartbeats of a busy machine. */
    public static final Duration MIN_LEASE = Duration.ofMillis(200);

    /** What is stored must fit in memory several times over. */
    public static final int MAX_MAX_PAYLOAD = 64 << 20;

    public Policy {
        Text.requireName("operation name", operation, Key.MAX_LENGTH);
        Durations.requireAtLeast("lease", lease, MIN_LEASE);
        if (lease.compareTo(retention.active()) > 0) {
            throw new IllegalArgumentException("lease " + lease + " of operation " + Text.quote(operation)
                    + " must not be longer than its retention " + retention.active());
        }
        if (maxPayload < 0 || maxPayload > MAX_MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    "largest kept payload must be between 0 and " + MAX_MAX_PAYLOAD + " bytes, got " + maxPayload);
        }
        if (mode != Mode.EXTERNAL && whenStoreIsDown == WhenStoreIsDown.OPEN) {
            throw new IllegalArgumentException("operation " + Text.quote(operation) + " of mode " + mode
                    + " cannot run while the store is down: its store is its own database");
        }
        if (mode == Mode.SINGLE_TRANSACTION && recovery != Recovery.RE_EXECUTE) {
            throw new IllegalArgumentException("operation " + Text.quote(operation) + " of mode " + mode
                    + " must have recovery RE_EXECUTE, got " + recovery + ": a crash leaves nothing to recover");
        }
    }

    /** Defaults for an operation with effects outside the database: one run, and {@code HOLD} after a crash. */
    public static Builder external(String operation) {
        return new Builder(operation, Mode.EXTERNAL, Recovery.HOLD);
    }

    /** Defaults for a business transaction that carries the settle. */
    public static Builder transactional(String operation) {
        return new Builder(operation, Mode.TRANSACTIONAL, Recovery.RE_EXECUTE);
    }

    /** Defaults for a short transaction that carries both the claim and the settle. */
    public static Builder singleTransaction(String operation) {
        return new Builder(operation, Mode.SINGLE_TRANSACTION, Recovery.RE_EXECUTE);
    }

    /** Whether a claim may take over a lapsed lease; what it then does is for the recovery to say. */
    boolean takesOver() {
        return recovery != Recovery.HOLD;
    }

    /** Whether a failure of the operation means that it did not execute. */
    public boolean meansNotExecuted(Throwable failure) {
        return failure instanceof NotExecutedException || notExecuted.test(failure);
    }

    /** A builder that starts with everything that this policy says. */
    public Builder toBuilder() {
        return new Builder(operation, mode, recovery)
                .lease(lease)
                .retention(retention)
                .duplicates(duplicates)
                .whenStoreIsDown(whenStoreIsDown)
                .notExecuted(notExecuted)
                .refused(refused)
                .maxPayload(maxPayload);
    }

    /** Makes a {@link Policy}. */
    public static final class Builder {

        private final String operation;
        private final Mode mode;
        private Recovery recovery;
        private Duration lease = DEFAULT_LEASE;
        private Retention retention = Retention.of(DEFAULT_RETENTION);
        private Duplicates duplicates = Duplicates.reject();
        private WhenStoreIsDown whenStoreIsDown = WhenStoreIsDown.CLOSED;
        private Predicate<Throwable> notExecuted = failure -> false;
        private Predicate<Outcome> refused = outcome -> false;
        private int maxPayload = DEFAULT_MAX_PAYLOAD;

        private Builder(String operation, Mode mode, Recovery recovery) {
            this.operation = operation;
            this.mode = mode;
            this.recovery = recovery;
        }

        public Builder lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        public Builder retention(Duration active) {
            return retention(Retention.of(active));
        }

        public Builder retention(Retention retention) {
            this.retention = retention;
            return this;
        }

        public Builder duplicates(Duplicates duplicates) {
            this.duplicates = duplicates;
            return this;
        }

        public Builder recovery(Recovery recovery) {
            this.recovery = recovery;
            return this;
        }

        public Builder whenStoreIsDown(WhenStoreIsDown whenStoreIsDown) {
            this.whenStoreIsDown = whenStoreIsDown;
            return this;
        }

        public Builder notExecuted(Predicate<Throwable> notExecuted) {
            this.notExecuted = notExecuted;
            return this;
        }

        public Builder refused(Predicate<Outcome> refused) {
            this.refused = refused;
            return this;
        }

        public Builder maxPayload(int bytes) {
            this.maxPayload = bytes;
            return this;
        }

        public Policy build() {
            return new Policy(
                    operation,
                    mode,
                    lease,
                    retention,
                    duplicates,
                    recovery,
                    whenStoreIsDown,
                    notExecuted,
                    refused,
                    maxPayload);
        }
    }
}
