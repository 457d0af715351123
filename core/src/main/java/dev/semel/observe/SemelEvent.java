package dev.semel.observe;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a key. Neither its value nor its scope is in here: both belong to the caller. */
public sealed interface SemelEvent {

    /** An event that concerns one key of one operation. */
    sealed interface OfKey extends SemelEvent {

        String operation();

        KeyDigest digest();
    }

    /** A request got the key; {@code took} is how long the store needed. */
    record Claimed(String operation, KeyDigest digest, int attempt, long token, Duration took) implements OfKey {}

    /** The claim found a lapsed lease and took it over. */
    record TakenOver(String operation, KeyDigest digest, int attempt, long token) implements OfKey {}

    /**
     * A stored outcome was given to a duplicate, {@code waited} after it arrived.
     *
     * @param executedIn the trace that executed
     */
    record Replayed(
            String operation,
            KeyDigest digest,
            Outcome.Result result,
            Duration waited,
            @Nullable String executedIn) implements OfKey {}

    /** A duplicate was told that the operation is in flight. */
    record InFlight(String operation, KeyDigest digest, Duration age) implements OfKey {}

    /** A duplicate waited as long as it may, and the outcome was still not known. */
    record WaitTimedOut(String operation, KeyDigest digest, Duration waited) implements OfKey {}

    /** The key was sent with another request. */
    record Mismatched(String operation, KeyDigest digest) implements OfKey {}

    /** A request was told that nobody knows what happened. */
    record Unknown(String operation, KeyDigest digest) implements OfKey {}

    /** A request was told that its key has expired. */
    record Expired(String operation, KeyDigest digest) implements OfKey {}

    /** An outcome was stored, to be kept so long; the operation ran for {@code ran}, the store needed {@code took}. */
    record Settled(
            String operation, KeyDigest digest, Outcome.Result result, Retention retention, Duration ran, Duration took)
            implements OfKey {}

    /** The key was released because the operation did not execute. */
    record Released(String operation, KeyDigest digest) implements OfKey {}

    /** A lapsed key was found by the maintenance. */
    record Lapsed(String operation, KeyDigest digest, int attempt, Recovery recovery) implements OfKey {}

    /** An attempt that had lost its lease tried to write, and was refused. */
    record FencedOff(String operation, KeyDigest digest, long token, String write) implements OfKey {}

    /** The operation ran but its outcome could not be stored. */
    record SettleFailed(String operation, KeyDigest digest, long token, Throwable cause) implements OfKey {}

    /** The operation ran without protection because the store was down and its policy allows it. */
    record Unprotected(String operation, KeyDigest digest, Throwable cause) implements OfKey {}

    /** A pending key was given up as unknown. */
    record Abandoned(
            String operation, KeyDigest digest, @Nullable Throwable cause) implements OfKey {}

    /** A store call by the engine's own housekeeping failed; it will be tried again. */
    record MaintenanceFailed(String task, Throwable cause) implements SemelEvent {}

    /** Records were removed because their retention has passed. */
    record Purged(long removed, Duration took) implements SemelEvent {}
}
