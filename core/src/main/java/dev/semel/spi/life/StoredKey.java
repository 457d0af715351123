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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A key as a store keeps it. Immutable, so that a reader never sees half a change. */
public final class StoredKey {

    private static final int FIRST_LINES = 5;
    private static final int LAST_LINES = 50;

    private final Builder parts;

    private StoredKey(Builder parts) {
        this.parts = parts;
    }

    /** A key in the hands of the attempt that makes this request. */
    public static Builder claimedBy(ClaimRequest request) {
        return new Builder(
                request.key(),
                request.operation(),
                request.fingerprint(),
                request.nonce(),
                request.retention(),
                request.traceId());
    }

    /** A key whose other parts follow, for a store that keeps each in a place of its own. */
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
        return new Builder(parts);
    }

    public Key key() {
        return parts.key;
    }

    public String operation() {
        return parts.operation;
    }

    public Fingerprint fingerprint() {
        return parts.fingerprint;
    }

    /** Made by the attempt that owns the key; the owner's writes carry it. */
    public UUID nonce() {
        return parts.nonce;
    }

    /** What the key was claimed with. */
    public Retention retention() {
        return parts.retention;
    }

    public @Nullable String traceId() {
        return parts.traceId;
    }

    public long token() {
        return parts.token;
    }

    public int attempt() {
        return parts.attempt;
    }

    public Instant claimedAt() {
        return parts.claimedAt;
    }

    public Instant leaseUntil() {
        return parts.leaseUntil;
    }

    /** Whether the key was marked unknown, and has no outcome. */
    public boolean isUnknown() {
        return parts.unknown;
    }

    /** The outcome and its times, once the key is settled. */
    public @Nullable Settlement settlement() {
        return parts.settlement;
    }

    /** The results of steps by name, the earliest first. */
    public Map<String, byte[]> steps() {
        return parts.steps;
    }

    /** How many bytes the results of its steps have together. */
    public long stepBytes() {
        if (parts.steps.isEmpty()) {
            return 0;
        }
        long sum = 0;
        for (byte[] result : parts.steps.values()) {
            sum += result.length;
        }
        return sum;
    }

    public List<HistoryEntry> history() {
        return parts.history;
    }

    /** Whether the key is claimed and neither settled nor marked unknown; its lease may have lapsed. */
    public boolean isPending() {
        return parts.settlement == null && !parts.unknown;
    }

    public Lease lease() {
        return new Lease(parts.key.digest(), parts.nonce, parts.token, parts.attempt);
    }

    boolean isOwnedBy(Lease lease) {
        return parts.nonce.equals(lease.nonce()) && parts.token == lease.token();
    }

    /** Whether the key can be claimed as if it had never been used. */
    public boolean isFree(Moment moment) {
        Settlement settlement = parts.settlement;
        return settlement != null && moment.hasPassed(settlement.freeAt());
    }

    /** Whether nobody needs the record any more. */
    public boolean isRemovable(Moment moment) {
        Settlement settlement = parts.settlement;
        return settlement != null && moment.hasPassed(settlement.removableAt());
    }

    public KeyState state(Moment moment) {
        Settlement settlement = parts.settlement;
        if (settlement != null) {
            if (moment.hasPassed(settlement.expiresAt())) {
                return KeyState.EXPIRED;
            }
            return settlement.outcome().isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
        }
        if (parts.unknown) {
            return KeyState.UNKNOWN;
        }
        return moment.hasPassed(parts.leaseUntil) ? KeyState.LAPSED : KeyState.PENDING;
    }

    /** The same settled key with another form of its outcome, for a store that keeps large outcomes elsewhere. */
    public StoredKey withOutcome(Outcome outcome) {
        Settlement settlement = parts.settlement;
        if (settlement == null) {
            throw new IllegalStateException("key " + parts.key + " is not settled");
        }
        return with().settled(new Settlement(
                        outcome,
                        settlement.settledAt(),
                        settlement.expiresAt(),
                        settlement.freeAt(),
                        settlement.removableAt()))
                .build();
    }

    public KeyRecord toRecord(Moment moment) {
        Settlement settlement = parts.settlement;
        return KeyRecord.builder(parts.key, parts.operation, parts.fingerprint, state(moment))
                .attempt(parts.attempt, parts.token)
                .lease(parts.claimedAt, parts.leaseUntil)
                .retention(parts.retention)
                .settled(
                        settlement == null ? null : settlement.settledAt(),
                        settlement == null ? null : settlement.expiresAt())
                .outcome(settlement == null ? null : settlement.outcome())
                .steps(parts.steps)
                .history(parts.history)
                .traceId(parts.traceId)
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
        private UUID nonce;
        private Retention retention;
        private @Nullable String traceId;
        private long token;
        private int attempt = 1;
        private Instant claimedAt = Instant.EPOCH;
        private Instant leaseUntil = Instant.EPOCH;
        private boolean unknown;
        private @Nullable Settlement settlement;
        private Map<String, byte[]> steps = Map.of();
        private List<HistoryEntry> history = List.of();

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
            this.nonce = nonce;
            this.retention = retention;
            this.traceId = traceId;
        }

        private Builder(Builder other) {
            key = other.key;
            operation = other.operation;
            fingerprint = other.fingerprint;
            nonce = other.nonce;
            retention = other.retention;
            traceId = other.traceId;
            token = other.token;
            attempt = other.attempt;
            claimedAt = other.claimedAt;
            leaseUntil = other.leaseUntil;
            unknown = other.unknown;
            settlement = other.settlement;
            steps = other.steps;
            history = other.history;
        }

        /** Hands the key to the attempt that makes this request. */
        Builder claimedBy(ClaimRequest request) {
            operation = request.operation();
            fingerprint = request.fingerprint();
            nonce = request.nonce();
            retention = request.retention();
            traceId = request.traceId();
            return this;
        }

        Builder nonce(UUID changed) {
            nonce = changed;
            return this;
        }

        public Builder attempt(int number, long fencingToken) {
            attempt = number;
            token = fencingToken;
            return this;
        }

        public Builder lease(Instant claimed, Instant until) {
            claimedAt = claimed;
            leaseUntil = until;
            return this;
        }

        public Builder unknown(boolean marked) {
            unknown = marked;
            return this;
        }

        public Builder settled(@Nullable Settlement end) {
            settlement = end;
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
            return new StoredKey(new Builder(this));
        }
    }
}
