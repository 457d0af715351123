package dev.semel.memory;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One key at one moment: immutable, so that a reader never sees half a change.
 *
 * @param held whether a pending key was marked unknown
 */
record Entry(
        Key key,
        String operation,
        Fingerprint fingerprint,
        UUID nonce,
        long token,
        int attempt,
        Instant claimedAt,
        Instant leaseUntil,
        Retention retention,
        boolean held,
        @Nullable Settlement settlement,
        Map<String, byte[]> steps,
        List<HistoryEntry> history,
        @Nullable String traceId) {

    /** What a settle added to the key: the outcome, and the ends of its retention. */
    record Settlement(Outcome outcome, Instant settledAt, Instant expiresAt, Instant freeAt, Instant purgeAt) {

        static Settlement of(Outcome outcome, Retention retention, Instant now) {
            Instant expiresAt = now.plus(retention.active());
            return new Settlement(
                    outcome, now, expiresAt, expiresAt.plus(retention.tombstone()), now.plus(retention.total()));
        }
    }

    static Entry claimed(ClaimRequest request, long token, Instant now) {
        return new Entry(
                request.key(),
                request.operation(),
                request.fingerprint(),
                request.nonce(),
                token,
                1,
                now,
                now.plus(request.lease()),
                request.retention(),
                false,
                null,
                Map.of(),
                List.of(),
                request.traceId());
    }

    /** What another store knows of a key, whose clock was this much behind the clock here. */
    static Entry imported(KeyRecord record, Duration shift) {
        Instant settledAt = record.settledAt();
        Instant expiresAt = record.expiresAt();
        Instant freeAt = record.freeAt();
        Instant removableAt = record.removableAt();
        Outcome outcome = record.outcome();
        Settlement settlement = null;
        if (settledAt != null && expiresAt != null && freeAt != null && removableAt != null && outcome != null) {
            settlement = new Settlement(
                    outcome, settledAt.plus(shift), expiresAt.plus(shift), freeAt.plus(shift), removableAt.plus(shift));
        }
        return new Entry(
                record.key(),
                record.operation(),
                record.fingerprint(),
                UUID.randomUUID(),
                record.token(),
                record.attempt(),
                record.claimedAt().plus(shift),
                record.leaseUntil().plus(shift),
                record.retention(),
                settlement == null,
                settlement,
                record.steps(),
                record.history(),
                record.traceId());
    }

    /** Whether this is what an import of that record leaves behind. */
    boolean isImported(KeyRecord record, Instant now) {
        return token == record.token() && state(now) == record.state() && fingerprint.equals(record.fingerprint());
    }

    /** The same key in the hands of the next attempt, which finds the steps of this one. */
    Entry takenOver(ClaimRequest request, long newToken, Instant now) {
        return new Entry(
                key,
                request.operation(),
                request.fingerprint(),
                request.nonce(),
                newToken,
                attempt + 1,
                now,
                now.plus(request.lease()),
                request.retention(),
                false,
                null,
                steps,
                noted(now, "taken over", "lease lapsed at " + leaseUntil),
                request.traceId());
    }

    Entry renewed(Duration duration, Instant now) {
        return with(now.plus(duration), held, settlement, nonce, steps, history);
    }

    Entry marked(Instant now, String reason) {
        return with(leaseUntil, true, settlement, nonce, steps, noted(now, "marked unknown", reason));
    }

    Entry settled(Outcome outcome, Retention retention, Instant now) {
        return with(leaseUntil, false, Settlement.of(outcome, retention, now), nonce, steps, history);
    }

    /** Settled by somebody other than the owner, who must not be able to write any more: hence another nonce. */
    Entry resolved(Outcome outcome, Instant now, String reason) {
        return with(
                leaseUntil,
                false,
                Settlement.of(outcome, retention, now),
                UUID.randomUUID(),
                steps,
                noted(now, "resolved", reason));
    }

    Entry withStep(String name, byte[] result) {
        Map<String, byte[]> more = new LinkedHashMap<>(steps);
        more.put(name, result);
        return with(leaseUntil, held, settlement, nonce, more, history);
    }

    private Entry with(
            Instant newLeaseUntil,
            boolean newHeld,
            @Nullable Settlement newSettlement,
            UUID newNonce,
            Map<String, byte[]> newSteps,
            List<HistoryEntry> newHistory) {
        return new Entry(
                key,
                operation,
                fingerprint,
                newNonce,
                token,
                attempt,
                claimedAt,
                newLeaseUntil,
                retention,
                newHeld,
                newSettlement,
                newSteps,
                newHistory,
                traceId);
    }

    private List<HistoryEntry> noted(Instant now, String event, String note) {
        List<HistoryEntry> longer = new ArrayList<>(history);
        longer.add(new HistoryEntry(now, attempt, token, event, note));
        return List.copyOf(longer);
    }

    Lease lease() {
        return new Lease(key.digest(), nonce, token, attempt);
    }

    boolean isOwnedBy(Lease lease) {
        return nonce.equals(lease.nonce()) && token == lease.token();
    }

    boolean isUnsettled() {
        return settlement == null;
    }

    boolean isPending() {
        return isUnsettled() && !held;
    }

    boolean isResolvable(Instant now) {
        return state(now) == KeyState.LAPSED || state(now) == KeyState.UNKNOWN;
    }

    KeyState state(Instant now) {
        if (settlement != null) {
            if (!now.isBefore(settlement.expiresAt())) {
                return KeyState.EXPIRED;
            }
            return settlement.outcome().isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
        }
        if (held) {
            return KeyState.UNKNOWN;
        }
        return now.isBefore(leaseUntil) ? KeyState.PENDING : KeyState.LAPSED;
    }

    boolean isFree(Instant now) {
        return settlement != null && !now.isBefore(settlement.freeAt());
    }

    boolean isPurgeable(Instant now) {
        return settlement != null && !now.isBefore(settlement.purgeAt());
    }

    /** What this entry weighs beyond a fixed overhead: the parts that callers can make large. */
    long weight() {
        long bytes = 0;
        for (byte[] step : steps.values()) {
            bytes += step.length;
        }
        if (settlement != null && settlement.outcome().payload() != null) {
            bytes += settlement.outcome().requirePayload().length;
        }
        return bytes;
    }

    KeyRecord toRecord(Instant now) {
        return new KeyRecord(
                key,
                operation,
                state(now),
                attempt,
                token,
                fingerprint,
                claimedAt,
                leaseUntil,
                retention,
                settlement == null ? null : settlement.settledAt(),
                settlement == null ? null : settlement.expiresAt(),
                settlement == null ? null : settlement.outcome(),
                steps,
                history,
                traceId);
    }
}
