package dev.semel.spi.life;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.util.Micros;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as a store keeps it. Immutable, so that a reader never sees half a change. Its times are exact to the microsecond, and
 * it consists of few objects, because the in-memory store keeps many of them.
 */
public final class StoredKey {

    private static final int FIRST_LINES = 5;
    private static final int LAST_LINES = 50;

    private final Key key;
    private final String operation;
    private final Fingerprint fingerprint;
    private final long nonceHigh;
    private final long nonceLow;
    private final Retention retention;
    private final @Nullable String traceId;
    private final long token;
    private final int attempt;
    private final boolean unknown;
    private final long claimedAt;
    private final long leaseUntil;
    private final Map<String, byte[]> steps;
    private final List<HistoryEntry> history;
    private final @Nullable Outcome outcome;
    private final long settledAt;
    private final long expiresAt;
    private final long freeAt;
    private final long removableAt;

    private StoredKey(Builder builder) {
        key = builder.key;
        operation = builder.operation;
        fingerprint = builder.fingerprint;
        nonceHigh = builder.nonceHigh;
        nonceLow = builder.nonceLow;
        retention = builder.retention;
        traceId = builder.traceId;
        token = builder.token;
        attempt = builder.attempt;
        unknown = builder.unknown;
        claimedAt = builder.claimedAt;
        leaseUntil = builder.leaseUntil;
        steps = builder.steps;
        history = builder.history;
        outcome = builder.outcome;
        settledAt = builder.settledAt;
        expiresAt = builder.expiresAt;
        freeAt = builder.freeAt;
        removableAt = builder.removableAt;
    }

    /** A key that is owned by the attempt that makes this request. */
    public static Builder claimedBy(ClaimRequest request) {
        return new Builder(
                request.key(),
                request.operation(),
                request.fingerprint(),
                request.nonce(),
                request.retention(),
                request.traceId());
    }

    /** Starts building a key, for a store that keeps its parts in separate columns. */
    public static Builder builder(
            Key key,
            String operation,
            Fingerprint fingerprint,
            UUID nonce,
            Retention retention,
            @Nullable String traceId) {
        return new Builder(key, operation, fingerprint, nonce, retention, traceId);
    }

    /** A builder that begins with everything that this key has. */
    public Builder with() {
        return new Builder(this);
    }

    public Key key() {
        return key;
    }

    public String operation() {
        return operation;
    }

    public Fingerprint fingerprint() {
        return fingerprint;
    }

    /** Made by the attempt that owns the key; the owner's writes carry it. */
    public UUID nonce() {
        return new UUID(nonceHigh, nonceLow);
    }

    /** The retention that the key was claimed with. */
    public Retention retention() {
        return retention;
    }

    public @Nullable String traceId() {
        return traceId;
    }

    public long token() {
        return token;
    }

    public int attempt() {
        return attempt;
    }

    public Instant claimedAt() {
        return Micros.toInstant(claimedAt);
    }

    public Instant leaseUntil() {
        return Micros.toInstant(leaseUntil);
    }

    /** Whether the key was marked unknown, and has no outcome. */
    public boolean isUnknown() {
        return unknown;
    }

    /** The outcome and its times, once the key is settled. */
    public @Nullable Settlement settlement() {
        return outcome == null
                ? null
                : new Settlement(
                        outcome,
                        Micros.toInstant(settledAt),
                        Micros.toInstant(expiresAt),
                        Micros.toInstant(freeAt),
                        Micros.toInstant(removableAt));
    }

    /** The results of steps by name, the earliest first. */
    public Map<String, byte[]> steps() {
        return steps;
    }

    /** How many bytes the results of its steps have together. */
    public long stepBytes() {
        if (steps.isEmpty()) {
            return 0;
        }
        long sum = 0;
        for (byte[] result : steps.values()) {
            sum += result.length;
        }
        return sum;
    }

    public List<HistoryEntry> history() {
        return history;
    }

    /** Whether the key is claimed and neither settled nor marked unknown; its lease may have lapsed. */
    public boolean isPending() {
        return outcome == null && !unknown;
    }

    public Lease lease() {
        return new Lease(key.digest(), nonce(), token, attempt);
    }

    boolean isOwnedBy(Lease lease) {
        return token == lease.token() && hasNonce(lease.nonce());
    }

    boolean hasNonce(UUID nonce) {
        return nonceHigh == nonce.getMostSignificantBits() && nonceLow == nonce.getLeastSignificantBits();
    }

    boolean isSettled() {
        return outcome != null;
    }

    /** The outcome, once the key is settled. */
    public @Nullable Outcome outcome() {
        return outcome;
    }

    /** Whether the key can be claimed as if it had never been used. */
    public boolean isFree(Moment moment) {
        return outcome != null && moment.hasPassed(Micros.toInstant(freeAt));
    }

    /** Whether the record is no longer needed. */
    public boolean isRemovable(Moment moment) {
        return outcome != null && moment.hasPassed(Micros.toInstant(removableAt));
    }

    public KeyState state(Moment moment) {
        if (outcome != null) {
            if (moment.hasPassed(Micros.toInstant(expiresAt))) {
                return KeyState.EXPIRED;
            }
            return outcome.isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
        }
        if (unknown) {
            return KeyState.UNKNOWN;
        }
        return moment.hasPassed(leaseUntil()) ? KeyState.LAPSED : KeyState.PENDING;
    }

    /** The same settled key with another form of its outcome, for a store that keeps large outcomes elsewhere. */
    public StoredKey withOutcome(Outcome replacement) {
        Settlement settlement = settlement();
        if (settlement == null) {
            throw new IllegalStateException("key " + key + " is not settled");
        }
        return with().settled(new Settlement(
                        replacement,
                        settlement.settledAt(),
                        settlement.expiresAt(),
                        settlement.freeAt(),
                        settlement.removableAt()))
                .build();
    }

    public KeyRecord toRecord(Moment moment) {
        Settlement settlement = settlement();
        return KeyRecord.builder(key, operation, fingerprint, state(moment))
                .attempt(attempt, token)
                .lease(claimedAt(), leaseUntil())
                .retention(retention)
                .settled(
                        settlement == null ? null : settlement.settledAt(),
                        settlement == null ? null : settlement.expiresAt())
                .outcome(settlement == null ? null : settlement.outcome())
                .steps(steps)
                .history(history)
                .traceId(traceId)
                .build();
    }

    /** The outcome of a settled key, and the ends of its retention. */
    public record Settlement(
            Outcome outcome, Instant settledAt, Instant expiresAt, Instant freeAt, Instant removableAt) {

        static Settlement of(Outcome outcome, Retention retention, Instant now) {
            Instant expiresAt = now.plus(retention.active());
            return new Settlement(
                    outcome, now, expiresAt, expiresAt.plus(retention.tombstone()), now.plus(retention.total()));
        }
    }

    /** The parts of a {@link StoredKey}. */
    public static final class Builder {

        private final Key key;
        private String operation;
        private Fingerprint fingerprint;
        private long nonceHigh;
        private long nonceLow;
        private Retention retention;
        private @Nullable String traceId;
        private long token;
        private int attempt = 1;
        private long claimedAt;
        private long leaseUntil;
        private boolean unknown;
        private Map<String, byte[]> steps = Map.of();
        private List<HistoryEntry> history = List.of();
        private @Nullable Outcome outcome;
        private long settledAt;
        private long expiresAt;
        private long freeAt;
        private long removableAt;

        private Builder(
                Key key,
                String operation,
                Fingerprint fingerprint,
                UUID nonce,
                Retention retention,
                @Nullable String traceId) {
            this.key = key;
            this.operation = operation;
            this.fingerprint = fingerprint;
            nonce(nonce);
            this.retention = retention;
            this.traceId = traceId;
        }

        private Builder(StoredKey other) {
            key = other.key;
            operation = other.operation;
            fingerprint = other.fingerprint;
            nonceHigh = other.nonceHigh;
            nonceLow = other.nonceLow;
            retention = other.retention;
            traceId = other.traceId;
            token = other.token;
            attempt = other.attempt;
            claimedAt = other.claimedAt;
            leaseUntil = other.leaseUntil;
            unknown = other.unknown;
            steps = other.steps;
            history = other.history;
            outcome = other.outcome;
            settledAt = other.settledAt;
            expiresAt = other.expiresAt;
            freeAt = other.freeAt;
            removableAt = other.removableAt;
        }

        /** Hands the key to the attempt that makes this request. */
        Builder claimedBy(ClaimRequest request) {
            operation = request.operation();
            fingerprint = request.fingerprint();
            nonce(request.nonce());
            retention = request.retention();
            traceId = request.traceId();
            return this;
        }

        Builder nonce(UUID changed) {
            nonceHigh = changed.getMostSignificantBits();
            nonceLow = changed.getLeastSignificantBits();
            return this;
        }

        public Builder attempt(int number, long fencingToken) {
            attempt = number;
            token = fencingToken;
            return this;
        }

        public Builder lease(Instant claimed, Instant until) {
            claimedAt = Micros.of(claimed);
            leaseUntil = Micros.of(until);
            return this;
        }

        public Builder unknown(boolean marked) {
            unknown = marked;
            return this;
        }

        public Builder settled(@Nullable Settlement end) {
            outcome = end == null ? null : end.outcome();
            settledAt = end == null ? 0 : Micros.of(end.settledAt());
            expiresAt = end == null ? 0 : Micros.of(end.expiresAt());
            freeAt = end == null ? 0 : Micros.of(end.freeAt());
            removableAt = end == null ? 0 : Micros.of(end.removableAt());
            return this;
        }

        public Builder steps(Map<String, byte[]> results) {
            steps = results;
            return this;
        }

        Builder step(String name, byte[] result) {
            Map<String, byte[]> more = new LinkedHashMap<>(steps);
            more.put(name, result);
            return steps(more);
        }

        public Builder history(List<HistoryEntry> entries) {
            history = List.copyOf(entries);
            return this;
        }

        /** Adds a line about the attempt that owns the key so far. Of a long history, the middle is left out. */
        Builder note(Instant at, String event, String note) {
            List<HistoryEntry> longer = new ArrayList<>(history);
            longer.add(new HistoryEntry(at, attempt, token, event, note));
            if (longer.size() > FIRST_LINES + LAST_LINES) {
                longer.remove(FIRST_LINES);
            }
            return history(longer);
        }

        public StoredKey build() {
            if (token < 1 || attempt < 1) {
                throw new IllegalArgumentException("a stored key needs a token and an attempt of at least 1, got token "
                        + token + " and attempt " + attempt);
            }
            return new StoredKey(this);
        }
    }
}
