package dev.semel;

import dev.semel.util.Durations;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How one operation is made safe to retry.
 *
 * @param operation the operation's name, for people and metrics
 * @param lease how long an attempt owns the key without a sign of life; the heartbeat renews it while the operation runs
 * @param notExecuted which failures of the operation mean that it did not execute, so that the key is released;
 *     {@link NotExecutedException} always does
 * @param refused which outcomes mean that the operation was refused before it executed, so that the key is released
 * @param brief which outcomes are kept for {@code briefRetention} only
 * @param briefRetention how long those replay, never longer than the others; their audit window and tombstone are the same.
 *     {@code null} if all outcomes are kept for the same time
 * @param maxPayload the largest payload, in bytes, that is kept for replay; a larger outcome is stored without it
 * @param formerly the names that the operation had before, oldest first
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
        Predicate<Outcome> brief,
        @Nullable Duration briefRetention,
        int maxPayload,
        List<String> formerly) {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_RETENTION = Retention.DEFAULT.active();
    public static final int DEFAULT_MAX_PAYLOAD = 1 << 20;

    /** A shorter lease would lapse between two heartbeats of a busy machine. */
    public static final Duration MIN_LEASE = Duration.ofMillis(200);

    /** What is stored must fit in memory several times over. */
    public static final int MAX_MAX_PAYLOAD = 64 << 20;

    public Policy {
        Text.requireName("operation name", operation, Key.MAX_LENGTH);
        formerly = List.copyOf(formerly);
        for (String name : formerly) {
            Text.requireName("former name of operation " + Text.quote(operation), name, Key.MAX_LENGTH);
        }
        if (formerly.contains(operation)) {
            throw new IllegalArgumentException(
                    "operation " + Text.quote(operation) + " cannot have its own name as a former one");
        }
        Durations.requireAtLeast("lease", lease, MIN_LEASE);
        if (lease.compareTo(retention.active()) > 0) {
            throw new IllegalArgumentException("lease " + lease + " of operation " + Text.quote(operation)
                    + " must not be longer than its retention " + retention.active());
        }
        if (briefRetention != null) {
            Durations.requirePositive("brief retention", briefRetention);
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

    /**
     * The name that the operation is known by in stored keys and fingerprints, whatever it is called by now: the oldest of
     * its former names, or its name if it has none.
     */
    public String identity() {
        return formerly.isEmpty() ? operation : formerly.get(0);
    }

    /** The operation's name and all its former ones. */
    List<String> names() {
        List<String> names = new ArrayList<>(formerly);
        names.add(operation);
        return names;
    }

    /**
     * In what the other policy treats a key differently, in words; empty if in nothing. How a caller wants duplicates to
     * be answered may differ from call to call, and predicates cannot be compared.
     */
    String differenceFrom(Policy other) {
        List<String> differences = new ArrayList<>();
        differ(differences, "name", operation, other.operation);
        differ(differences, "former names", formerly, other.formerly);
        differ(differences, "mode", mode, other.mode);
        differ(differences, "lease", lease, other.lease);
        differ(differences, "retention", retention, other.retention);
        differ(differences, "briefRetention", briefRetention, other.briefRetention);
        differ(differences, "recovery", recovery, other.recovery);
        differ(differences, "whenStoreIsDown", whenStoreIsDown, other.whenStoreIsDown);
        differ(differences, "maxPayload", maxPayload, other.maxPayload);
        return String.join(", ", differences);
    }

    private static void differ(List<String> differences, String what, @Nullable Object mine, @Nullable Object theirs) {
        if (!Objects.equals(mine, theirs)) {
            differences.add(what + " " + mine + " and " + theirs);
        }
    }

    /** Whether a failure of the operation means that it did not execute. */
    public boolean meansNotExecuted(Throwable failure) {
        return failure instanceof NotExecutedException || notExecuted.test(failure);
    }

    /** How long an outcome is kept that the operation itself ended with. */
    public Retention retentionOf(Outcome outcome) {
        return briefRetention != null && briefRetention.compareTo(retention.active()) < 0 && brief.test(outcome)
                ? new Retention(briefRetention, retention.audit(), retention.tombstone())
                : retention;
    }

    /** A builder that starts with everything that this policy says. */
    public Builder toBuilder() {
        Builder copy = new Builder(operation, mode, recovery)
                .lease(lease)
                .retention(retention)
                .duplicates(duplicates)
                .whenStoreIsDown(whenStoreIsDown)
                .notExecuted(notExecuted)
                .refused(refused)
                .maxPayload(maxPayload)
                .formerly(formerly.toArray(String[]::new));
        copy.brief = brief;
        copy.briefRetention = briefRetention;
        return copy;
    }

    /** Makes a {@link Policy}. */
    public static final class Builder {

        private final String operation;
        private final Mode mode;
        private Recovery recovery;
        private Duration lease = DEFAULT_LEASE;
        private Retention retention = Retention.DEFAULT;
        private Duplicates duplicates = Duplicates.reject();
        private WhenStoreIsDown whenStoreIsDown = WhenStoreIsDown.CLOSED;
        private Predicate<Throwable> notExecuted = failure -> false;
        private Predicate<Outcome> refused = outcome -> false;
        private Predicate<Outcome> brief = outcome -> false;
        private @Nullable Duration briefRetention;
        private int maxPayload = DEFAULT_MAX_PAYLOAD;
        private List<String> formerly = List.of();

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

        /**
         * Keeps some outcomes for a shorter time than others, for example refusals, of which anybody can cause many. After
         * it the same key runs again, so it must not be an outcome that had an effect.
         *
         * @param active how long they replay; if it is longer than the retention, the retention counts
         */
        public Builder keepBriefly(Predicate<Outcome> outcomes, Duration active) {
            this.brief = outcomes;
            this.briefRetention = active;
            return this;
        }

        public Builder maxPayload(int bytes) {
            this.maxPayload = bytes;
            return this;
        }

        /**
         * The names that the operation had before, oldest first. A retry of a request that was first sent to the
         * operation under a former name is then still a retry. A former name stays listed for as long as the operation
         * exists: the oldest one is what keys and fingerprints are made with.
         */
        public Builder formerly(String... names) {
            this.formerly = List.of(names);
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
                    brief,
                    briefRetention,
                    maxPayload,
                    formerly);
        }
    }
}
