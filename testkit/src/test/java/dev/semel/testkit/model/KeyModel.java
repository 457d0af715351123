package dev.semel.testkit.model;

import dev.semel.Fingerprint;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** The expected life of one key, as simple as possible: one call at a time, nothing stored, nothing shared. */
final class KeyModel {

    private enum Phase {
        ABSENT,
        PENDING,
        UNKNOWN,
        SETTLED
    }

    private Phase phase = Phase.ABSENT;
    private Fingerprint fingerprint;
    private UUID owner;
    private int attempt;
    private Instant leaseUntil;
    private Retention retention;
    private Outcome outcome;
    private Instant expiresAt;
    private Instant freeAt;
    private Instant purgeAt;
    private Set<String> steps = new TreeSet<>();

    /** The answer to a claim, in a word or two. */
    String claim(ClaimRequest request, Instant now) {
        if (phase == Phase.ABSENT || (phase == Phase.SETTLED && !now.isBefore(freeAt))) {
            steps = new TreeSet<>();
            return acquire(request, 1, now);
        }
        if (phase == Phase.SETTLED && !now.isBefore(expiresAt)) {
            return "expired";
        }
        if (phase == Phase.PENDING && request.nonce().equals(owner)) {
            return "acquired " + attempt + steps;
        }
        if (!fingerprint.matches(request.fingerprint())) {
            return "mismatch";
        }
        return switch (phase) {
            case SETTLED -> "settled " + outcome.status();
            case UNKNOWN -> "unknown";
            default -> pending(request, now);
        };
    }

    private String pending(ClaimRequest request, Instant now) {
        if (now.isBefore(leaseUntil)) {
            return "in flight";
        }
        return request.takeOver() ? acquire(request, attempt + 1, now) : "unknown";
    }

    private String acquire(ClaimRequest request, int number, Instant now) {
        phase = Phase.PENDING;
        fingerprint = request.fingerprint();
        owner = request.nonce();
        attempt = number;
        leaseUntil = now.plus(request.lease());
        retention = request.retention();
        return "acquired " + attempt + steps;
    }

    boolean settle(UUID nonce, Outcome settled, Retention kept, Instant now) {
        if (phase == Phase.ABSENT || !nonce.equals(owner)) {
            return false;
        }
        if (phase != Phase.SETTLED) {
            end(settled, kept, now);
        }
        return true;
    }

    private void end(Outcome settled, Retention kept, Instant now) {
        phase = Phase.SETTLED;
        outcome = settled;
        expiresAt = now.plus(kept.active());
        freeAt = expiresAt.plus(kept.tombstone());
        purgeAt = now.plus(kept.total());
    }

    boolean renew(UUID nonce, Duration lease, Instant now) {
        boolean held = phase == Phase.PENDING && nonce.equals(owner);
        leaseUntil = held ? now.plus(lease) : leaseUntil;
        return held;
    }

    boolean release(UUID nonce) {
        return leave(nonce, Phase.ABSENT);
    }

    boolean abandon(UUID nonce) {
        return leave(nonce, Phase.UNKNOWN);
    }

    private boolean leave(UUID nonce, Phase next) {
        boolean owned = (phase == Phase.PENDING || phase == Phase.UNKNOWN) && nonce.equals(owner);
        phase = owned ? next : phase;
        return owned;
    }

    boolean recordStep(UUID nonce, String name) {
        boolean owned = phase == Phase.PENDING && nonce.equals(owner);
        if (owned) {
            steps.add(name);
        }
        return owned;
    }

    boolean resolve(Resolution resolution, Instant now) {
        if (state(now) != KeyState.LAPSED && state(now) != KeyState.UNKNOWN) {
            return false;
        }
        if (resolution instanceof Resolution.Settle settle) {
            end(settle.outcome(), retention, now);
            owner = null;
        } else {
            phase = resolution instanceof Resolution.Release ? Phase.ABSENT : Phase.UNKNOWN;
        }
        return true;
    }

    /** Whether the purge removed the key. */
    boolean purge(Instant now) {
        boolean outlived = phase == Phase.SETTLED && !now.isBefore(purgeAt);
        phase = outlived ? Phase.ABSENT : phase;
        return outlived;
    }

    /** The state that people see, or {@code null} if there is nothing to see. */
    KeyState state(Instant now) {
        return switch (phase) {
            case ABSENT -> null;
            case UNKNOWN -> KeyState.UNKNOWN;
            case PENDING -> now.isBefore(leaseUntil) ? KeyState.PENDING : KeyState.LAPSED;
            case SETTLED -> {
                if (!now.isBefore(expiresAt)) {
                    yield KeyState.EXPIRED;
                }
                yield outcome.isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
            }
        };
    }
}
