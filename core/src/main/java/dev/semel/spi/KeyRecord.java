package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.util.TraceText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything a store knows about a key, for people. */
public final class KeyRecord {

    /** Cannot be the name of an application's step. */
    private static final String CAUSE = "semel:cause:";

    private final Builder parts;

    private KeyRecord(Builder parts) {
        this.parts = parts;
    }

    /** Starts building the record of a key in this state. */
    public static Builder builder(Key key, String operation, Fingerprint fingerprint, KeyState state) {
        return new Builder(key, operation, fingerprint, state);
    }

    /** A builder with the values of this record. */
    public Builder toBuilder() {
        return new Builder(parts);
    }

    public Key key() {
        return parts.key;
    }

    public String operation() {
        return parts.operation;
    }

    public KeyState state() {
        return parts.state;
    }

    public int attempt() {
        return parts.attempt;
    }

    public long token() {
        return parts.token;
    }

    public Fingerprint fingerprint() {
        return parts.fingerprint;
    }

    /** When the current attempt claimed the key. */
    public Instant claimedAt() {
        return parts.claimedAt;
    }

    /** When its lease ends or ended. */
    public Instant leaseUntil() {
        return parts.leaseUntil;
    }

    /** The retention that the current attempt claimed the key with: how long the key is kept after it is settled. */
    public Retention retention() {
        return parts.retention;
    }

    /** When the outcome was stored. */
    public @Nullable Instant settledAt() {
        return parts.settledAt;
    }

    /** When the outcome stops being replayed. */
    public @Nullable Instant expiresAt() {
        return parts.expiresAt;
    }

    public @Nullable Outcome outcome() {
        return parts.outcome;
    }

    /** The recorded results of steps, including the recorded {@linkplain #cause causes}. */
    public Map<String, byte[]> steps() {
        return parts.steps;
    }

    /** The key's history, oldest first: earlier attempts and decisions of operators. */
    public List<HistoryEntry> history() {
        return parts.history;
    }

    /** The trace that executed, if there was one. */
    public @Nullable String traceId() {
        return TraceText.traceId(parts.traceId);
    }

    /** A description of the request that claimed the key, such as {@code POST /charges}; {@code null} if unknown. */
    public @Nullable String about() {
        return TraceText.about(parts.traceId);
    }

    /** {@link #traceId} and {@link #about} as the store keeps them. */
    public @Nullable String origin() {
        return parts.traceId;
    }

    /** The reason why the current attempt's outcome is unknown, if the attempt recorded one before it gave up. */
    public @Nullable String cause() {
        byte[] cause = parts.steps.get(causeStep(parts.attempt));
        return cause == null ? null : new String(cause, StandardCharsets.UTF_8);
    }

    /** Whether the operation recorded steps; a cause does not count. */
    public boolean hasSteps() {
        return parts.steps.keySet().stream().anyMatch(name -> !name.startsWith(CAUSE));
    }

    /** The name under which an attempt records why it cannot tell what it did, as if it were a step. */
    public static String causeStep(int attempt) {
        return CAUSE + attempt;
    }

    /** Set if this record comes from the store's audit window. */
    public @Nullable Audited audited() {
        return parts.audited;
    }

    /** When a key that has an outcome may be claimed again; {@code null} if it has none. */
    public @Nullable Instant freeAt() {
        return parts.expiresAt == null ? null : parts.expiresAt.plus(parts.retention.tombstone());
    }

    /** When a record that has an outcome may be removed; {@code null} if it has none. */
    public @Nullable Instant removableAt() {
        Retention retention = parts.retention;
        return parts.expiresAt == null
                ? null
                : parts.expiresAt.plus(retention.total().minus(retention.active()));
    }

    @Override
    public String toString() {
        return "KeyRecord[" + parts.operation + " " + parts.key + " " + parts.state + " attempt=" + parts.attempt
                + " token=" + parts.token + "]";
    }

    /**
     * The record of a key in the audit window, without its payload, headers and steps.
     *
     * @param since the day on which its retention was found to have passed, in UTC
     * @param bodyBytes how many bytes the stored payload had, or {@code null} if there was none
     */
    public record Audited(LocalDate since, @Nullable Integer bodyBytes) {}

    /** One entry of a key's history. */
    public record HistoryEntry(Instant at, int attempt, long token, String event, String note) {}

    /** Builds a {@link KeyRecord}. */
    public static final class Builder {

        private final Key key;
        private final String operation;
        private final Fingerprint fingerprint;
        private final KeyState state;
        private int attempt = 1;
        private long token;
        private Instant claimedAt = Instant.EPOCH;
        private Instant leaseUntil = Instant.EPOCH;
        private Retention retention = Retention.DEFAULT;
        private @Nullable Instant settledAt;
        private @Nullable Instant expiresAt;
        private @Nullable Outcome outcome;
        private Map<String, byte[]> steps = Map.of();
        private List<HistoryEntry> history = List.of();
        private @Nullable String traceId;
        private @Nullable Audited audited;

        private Builder(Key key, String operation, Fingerprint fingerprint, KeyState state) {
            this.key = key;
            this.operation = operation;
            this.fingerprint = fingerprint;
            this.state = state;
        }

        private Builder(Builder other) {
            this.key = other.key;
            this.operation = other.operation;
            this.fingerprint = other.fingerprint;
            this.state = other.state;
            this.attempt = other.attempt;
            this.token = other.token;
            this.claimedAt = other.claimedAt;
            this.leaseUntil = other.leaseUntil;
            this.retention = other.retention;
            this.settledAt = other.settledAt;
            this.expiresAt = other.expiresAt;
            this.outcome = other.outcome;
            this.steps = other.steps;
            this.history = other.history;
            this.traceId = other.traceId;
            this.audited = other.audited;
        }

        public Builder attempt(int number, long fencingToken) {
            this.attempt = number;
            this.token = fencingToken;
            return this;
        }

        public Builder lease(Instant claimed, Instant until) {
            this.claimedAt = claimed;
            this.leaseUntil = until;
            return this;
        }

        public Builder retention(Retention retention) {
            this.retention = retention;
            return this;
        }

        /** When the outcome was stored, and when it stops being replayed. */
        public Builder settled(@Nullable Instant at, @Nullable Instant expires) {
            this.settledAt = at;
            this.expiresAt = expires;
            return this;
        }

        public Builder outcome(@Nullable Outcome outcome) {
            this.outcome = outcome;
            return this;
        }

        public Builder steps(Map<String, byte[]> steps) {
            this.steps = steps;
            return this;
        }

        public Builder history(List<HistoryEntry> history) {
            this.history = history;
            return this;
        }

        public Builder traceId(@Nullable String traceId) {
            this.traceId = traceId;
            return this;
        }

        public Builder audited(@Nullable Audited audited) {
            this.audited = audited;
            return this;
        }

        public KeyRecord build() {
            return new KeyRecord(new Builder(this));
        }
    }
}
