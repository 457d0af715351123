package dev.semel.policy;

import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.util.Durations;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How one operation is made safe to retry: an {@link ExternalPolicy} or a {@link TransactionalPolicy}. */
public abstract sealed class Policy permits ExternalPolicy, TransactionalPolicy {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    public static final int DEFAULT_MAX_PAYLOAD = 1 << 20;

    /** A shorter lease would lapse between two heartbeats of a busy machine. */
    public static final Duration MIN_LEASE = Duration.ofMillis(200);

    /** A payload must fit in memory several times over. */
    public static final int MAX_MAX_PAYLOAD = 64 << 20;

    final Builder<?, ?> parts;

    Policy(Builder<?, ?> parts) {
        this.parts = parts;
        String operation = Text.requireName("operation name", parts.operation, Key.MAX_LENGTH);
        Durations.requireAtLeast("lease", parts.lease, MIN_LEASE);
        for (String name : parts.formerly) {
            Text.requireName("former name of operation " + Text.quote(operation), name, Key.MAX_LENGTH);
        }
        if (parts.formerly.contains(operation)) {
            throw new IllegalArgumentException(
                    "operation " + Text.quote(operation) + " cannot have its own name as a former one");
        }
        if (parts.lease.compareTo(parts.retention.active()) > 0) {
            throw new IllegalArgumentException("lease " + parts.lease + " of operation " + Text.quote(operation)
                    + " must not be longer than its retention " + parts.retention.active());
        }
        if (parts.briefRetention != null) {
            Durations.requirePositive("brief retention", parts.briefRetention);
        }
        if (parts.maxPayload < 0 || parts.maxPayload > MAX_MAX_PAYLOAD) {
            throw new IllegalArgumentException("largest kept payload must be between 0 and " + MAX_MAX_PAYLOAD
                    + " bytes, got " + parts.maxPayload);
        }
    }

    /** Defaults for an operation with effects outside the database: one run, and {@code HOLD} after a crash. */
    public static ExternalPolicy.Builder external(String operation) {
        return new ExternalPolicy.Builder(operation);
    }

    /** Defaults for a business transaction that includes the settle. */
    public static TransactionalPolicy.Builder transactional(String operation) {
        return new TransactionalPolicy.Builder(operation, Mode.TRANSACTIONAL);
    }

    /** Defaults for a short transaction that includes both the claim and the settle. */
    public static TransactionalPolicy.Builder singleTransaction(String operation) {
        return new TransactionalPolicy.Builder(operation, Mode.SINGLE_TRANSACTION);
    }

    /** The operation's name, for people and metrics. */
    public String operation() {
        return parts.operation;
    }

    public Mode mode() {
        return parts.mode;
    }

    /** How long an attempt owns the key without a heartbeat, which renews the lease while the operation runs. */
    public Duration lease() {
        return parts.lease;
    }

    public Retention retention() {
        return parts.retention;
    }

    public Duplicates duplicates() {
        return parts.duplicates;
    }

    public Recovery recovery() {
        return parts.recovery;
    }

    public WhenStoreIsDown whenStoreIsDown() {
        return parts.whenStoreIsDown;
    }

    /** Which outcomes mean that the operation was refused before it executed, so that the key is released. */
    public Predicate<Outcome> refused() {
        return parts.refused;
    }

    /**
     * How long briefly kept outcomes replay, never longer than the others; their audit window and tombstone are the
     * same. {@code null} if all outcomes are kept for the same time.
     */
    public @Nullable Duration briefRetention() {
        return parts.briefRetention;
    }

    /**
     * The largest payload, in bytes, that is kept for replay; an outcome with a larger payload is stored without it.
     */
    public int maxPayload() {
        return parts.maxPayload;
    }

    /** The names that the operation had before, oldest first. */
    public List<String> formerly() {
        return parts.formerly;
    }

    /**
     * The name that the operation is known by in stored keys and fingerprints, whatever its current name is: the
     * oldest of
     * its former names, or its name if it has none.
     */
    public String identity() {
        return parts.formerly.isEmpty() ? parts.operation : parts.formerly.get(0);
    }

    /**
     * Whether a failure of the operation means that it did not execute, so that the key is released;
     * {@link NotExecutedException} always does.
     */
    public boolean meansNotExecuted(Throwable failure) {
        return failure instanceof NotExecutedException || parts.notExecuted.test(failure);
    }

    /** How long this outcome of the operation is kept. */
    public Retention retentionOf(Outcome outcome) {
        Retention retention = parts.retention;
        Duration briefRetention = parts.briefRetention;
        return briefRetention != null && briefRetention.compareTo(retention.active()) < 0 && parts.brief.test(outcome)
                ? new Retention(briefRetention, retention.audit(), retention.tombstone())
                : retention;
    }

    /** A builder with the settings of this policy. */
    public abstract Builder<?, ?> toBuilder();

    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other || (other instanceof Policy that && components().equals(that.components()));
    }

    @Override
    public final int hashCode() {
        return Objects.hash(parts.operation, parts.mode, parts.lease, parts.retention, parts.recovery);
    }

    private List<Object> components() {
        return List.of(
                parts.operation,
                parts.mode,
                parts.lease,
                parts.retention,
                parts.duplicates,
                parts.recovery,
                parts.whenStoreIsDown,
                parts.notExecuted,
                parts.refused,
                parts.brief,
                Objects.requireNonNullElse(parts.briefRetention, Duration.ZERO),
                parts.maxPayload,
                parts.formerly);
    }

    @Override
    public final String toString() {
        return "Policy[" + parts.operation + ", " + parts.mode + ", lease " + parts.lease + ", " + parts.retention
                + ", " + parts.recovery + "]";
    }

    /**
     * Makes a {@link Policy}.
     *
     * @param <P> the type of the policy
     * @param <B> the builder itself
     */
    public abstract static sealed class Builder<P extends Policy, B extends Builder<P, B>>
            permits ExternalPolicy.Builder, TransactionalPolicy.Builder {

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

        Builder(String operation, Mode mode, Recovery recovery) {
            this.operation = operation;
            this.mode = mode;
            this.recovery = recovery;
        }

        Builder(Builder<?, ?> other) {
            this(other.operation, other.mode, other.recovery);
            this.lease = other.lease;
            this.retention = other.retention;
            this.duplicates = other.duplicates;
            this.whenStoreIsDown = other.whenStoreIsDown;
            this.notExecuted = other.notExecuted;
            this.refused = other.refused;
            this.brief = other.brief;
            this.briefRetention = other.briefRetention;
            this.maxPayload = other.maxPayload;
            this.formerly = other.formerly;
        }

        abstract B self();

        public abstract P build();

        public B lease(Duration lease) {
            this.lease = lease;
            return self();
        }

        public B retention(Duration active) {
            return retention(Retention.of(active));
        }

        public B retention(Retention retention) {
            this.retention = retention;
            return self();
        }

        public B duplicates(Duplicates duplicates) {
            this.duplicates = duplicates;
            return self();
        }

        public B recovery(Recovery recovery) {
            this.recovery = recovery;
            return self();
        }

        public B whenStoreIsDown(WhenStoreIsDown whenStoreIsDown) {
            this.whenStoreIsDown = whenStoreIsDown;
            return self();
        }

        public B notExecuted(Predicate<Throwable> notExecuted) {
            this.notExecuted = notExecuted;
            return self();
        }

        public B refused(Predicate<Outcome> refused) {
            this.refused = refused;
            return self();
        }

        /**
         * Keeps some outcomes for a shorter time than others, for example refusals, because any caller can cause large
         * numbers of them. Afterwards the same key runs again, so use it only for outcomes without an effect.
         *
         * @param active how long they replay; if it is longer than the retention, the retention applies
         */
        public B keepBriefly(Predicate<Outcome> outcomes, Duration active) {
            this.brief = outcomes;
            this.briefRetention = active;
            return self();
        }

        public B maxPayload(int bytes) {
            this.maxPayload = bytes;
            return self();
        }

        /**
         * The names that the operation had before, oldest first. A request that was first sent under a former name can
         * then still be retried. A former name stays listed for as long as the operation exists: keys and fingerprints
         * use the oldest one.
         */
        public B formerly(String... names) {
            this.formerly = List.of(names);
            return self();
        }
    }
}
