package dev.semel.spi.life;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Importing;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.StoredKey.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a key: what each call does to it, and what the caller gets. Pure: the store reads a key, asks here, and
 * writes the answer's {@link Change#next} in one atomic step. Where a key is {@code null}, the store has none.
 *
 * <p>A claim is decided by the first line that applies:
 *
 * <ol>
 *   <li>there is no key, or its retention and its tombstone have passed: a new key, attempt 1;
 *   <li>the key is pending with the nonce of the request: the claim was sent again, and gets the same answer;
 *   <li>the key has expired and leaves a tombstone: {@link Claim.Expired};
 *   <li>the fingerprints differ: {@link Claim.Mismatch}, and nothing else about the key is revealed;
 *   <li>the key is settled: {@link Claim.Settled};
 *   <li>the lease is alive: {@link Claim.InFlight};
 *   <li>the lease has lapsed and the request may take over: the next attempt, which finds the steps of those before it;
 *   <li>otherwise {@link Claim.Unknown}.
 * </ol>
 *
 * <p>An owner's write needs the nonce and the token of its lease. It is never refused because the lease has lapsed: as long as
 * no one else has acted, the owner knows best.
 */
public final class KeyLife {

    private KeyLife() {}

    /**
     * Claims a key.
     *
     * @param token larger than every token that this store has given to the key and may have forgotten
     */
    public static Change<Claim> claim(@Nullable StoredKey key, ClaimRequest request, Moment moment, long token) {
        if (key == null || key.isFree(moment)) {
            return acquired(StoredKey.claimedBy(request).attempt(1, next(key, token)), request, moment);
        }
        if (key.isPending() && key.hasNonce(request.nonce())) {
            return Change.none(key, new Claim.Acquired(key.lease(), key.steps()));
        }
        KeyState state = key.state(moment);
        if (state == KeyState.EXPIRED) {
            return Change.none(key, new Claim.Expired());
        }
        if (!key.fingerprint().matches(request.fingerprint())) {
            return Change.none(key, new Claim.Mismatch());
        }
        Settlement settlement = key.settlement();
        if (settlement != null) {
            return Change.none(
                    key,
                    Claim.Settled.builder(
                                    settlement.outcome(), settlement.settledAt(), settlement.expiresAt(), key.token())
                            .traceId(key.traceId())
                            .build());
        }
        if (state == KeyState.PENDING) {
            return Change.none(key, new Claim.InFlight(moment.since(key.claimedAt()), moment.until(key.leaseUntil())));
        }
        if (state == KeyState.LAPSED && request.takeOver()) {
            StoredKey.Builder taken = key.with()
                    .note(moment.now(), "taken over", "lease lapsed at " + key.leaseUntil())
                    .attempt(key.attempt() + 1, next(key, token));
            return acquired(taken.claimedBy(request), request, moment);
        }
        return Change.none(key, new Claim.Unknown());
    }

    private static long next(@Nullable StoredKey key, long token) {
        return key == null ? token : Math.max(token, key.token() + 1);
    }

    private static Change<Claim> acquired(StoredKey.Builder claimed, ClaimRequest request, Moment moment) {
        StoredKey mine =
                claimed.lease(moment.now(), moment.now().plus(request.lease())).build();
        return Change.to(mine, new Claim.Acquired(mine.lease(), mine.steps()));
    }

    /** Stores the outcome of the owner; true again if it is stored already. */
    public static Change<Boolean> settle(
            @Nullable StoredKey key, Lease lease, Outcome outcome, Retention retention, Moment moment) {
        if (key == null || !key.isOwnedBy(lease)) {
            return Change.none(key, false);
        }
        return key.isSettled()
                ? Change.none(key, true)
                : Change.to(settled(key.with(), outcome, retention, moment), true);
    }

    private static StoredKey settled(StoredKey.Builder key, Outcome outcome, Retention retention, Moment moment) {
        return key.unknown(false)
                .settled(Settlement.of(outcome, retention, moment.now()))
                .build();
    }

    /** Extends the owner's lease from now on. */
    public static Change<Boolean> renew(@Nullable StoredKey key, Lease lease, Duration duration, Moment moment) {
        return key == null || !key.isOwnedBy(lease) || !key.isPending()
                ? Change.none(key, false)
                : Change.to(
                        key.with()
                                .lease(key.claimedAt(), moment.now().plus(duration))
                                .build(),
                        true);
    }

    /** Releases the key of its owner, because the operation was not executed. */
    public static Change<Boolean> release(@Nullable StoredKey key, Lease lease) {
        return isUnsettled(key, lease) ? Change.to(null, true) : Change.none(key, false);
    }

    /** Marks the owner's key unknown. */
    public static Change<Boolean> abandon(@Nullable StoredKey key, Lease lease, Moment moment) {
        return key != null && isUnsettled(key, lease)
                ? marked(key, "the outcome is unknown", moment)
                : Change.none(key, false);
    }

    private static boolean isUnsettled(@Nullable StoredKey key, Lease lease) {
        return key != null && key.isOwnedBy(lease) && !key.isSettled();
    }

    private static Change<Boolean> marked(StoredKey key, String reason, Moment moment) {
        return key.isUnknown()
                ? Change.none(key, true)
                : Change.to(
                        key.with()
                                .unknown(true)
                                .note(moment.now(), "marked unknown", reason)
                                .build(),
                        true);
    }

    /** Records the result of a step of the owner; true again, with the first result, if it is recorded already. */
    public static Change<Boolean> recordStep(@Nullable StoredKey key, Lease lease, String name, byte[] result) {
        if (key == null || !key.isOwnedBy(lease) || !key.isPending()) {
            return Change.none(key, false);
        }
        return key.steps().containsKey(name)
                ? Change.none(key, true)
                : Change.to(key.with().step(name, result).build(), true);
    }

    /** Resolves a key that is lapsed or unknown and still has this token. */
    public static Change<Boolean> resolve(
            @Nullable StoredKey key, long token, Resolution resolution, String reason, Moment moment) {
        if (key == null || key.token() != token || !isResolvable(key.state(moment))) {
            return Change.none(key, false);
        }
        if (resolution instanceof Resolution.Settle settle) {
            // Another nonce, so that the attempt that owned the key can no longer write to it.
            StoredKey.Builder resolved =
                    key.with().note(moment.now(), "resolved", reason).nonce(UUID.randomUUID());
            return Change.to(settled(resolved, settle.outcome(), key.retention(), moment), true);
        }
        return resolution instanceof Resolution.Release ? Change.to(null, true) : marked(key, reason, moment);
    }

    private static boolean isResolvable(KeyState state) {
        return state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }

    /** Takes over the record of another store, unless this one knows the key itself. */
    public static Change<Boolean> importRecord(@Nullable StoredKey key, KeyRecord record, Instant asOf, Moment moment) {
        Importing.requireImportable(record);
        if (key == null || (key.isFree(moment) && key.token() < record.token())) {
            return Change.to(imported(record, Duration.between(asOf, moment.now())), true);
        }
        return Change.none(
                key,
                key.token() == record.token()
                        && key.state(moment) == record.state()
                        && key.fingerprint().equals(record.fingerprint()));
    }

    /** Converts the record of another store, whose clock was behind this one by the given time. */
    private static StoredKey imported(KeyRecord record, Duration shift) {
        Outcome outcome = record.outcome();
        Settlement settlement = outcome == null
                ? null
                : new Settlement(
                        outcome,
                        shifted(record.settledAt(), shift),
                        shifted(record.expiresAt(), shift),
                        shifted(record.freeAt(), shift),
                        shifted(record.removableAt(), shift));
        return StoredKey.builder(
                        record.key(),
                        record.operation(),
                        record.fingerprint(),
                        UUID.randomUUID(),
                        record.retention(),
                        record.origin())
                .attempt(record.attempt(), record.token())
                .lease(record.claimedAt().plus(shift), record.leaseUntil().plus(shift))
                .unknown(settlement == null)
                .settled(settlement)
                .steps(record.steps())
                .history(record.history())
                .build();
    }

    private static Instant shifted(@Nullable Instant time, Duration shift) {
        return Objects.requireNonNull(time, "a settled record has all its times")
                .plus(shift);
    }

    /** Removes a settled key that has this token before its time. */
    public static Change<Boolean> erase(@Nullable StoredKey key, long token) {
        return key != null && key.token() == token && key.isSettled() ? Change.to(null, true) : Change.none(key, false);
    }

    /** Removes a key that has outlived its whole retention. */
    public static Change<Boolean> purge(@Nullable StoredKey key, Moment moment) {
        return key != null && key.isRemovable(moment) ? Change.to(null, true) : Change.none(key, false);
    }
}
