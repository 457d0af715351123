package dev.semel.torture.node;

import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A mistake that a node can be started with, to show that the torture finds it. Each is one that an implementation of
 * Semel, or of a service on it, could really have.
 */
public enum Bug {
    NONE,
    /** The settle is not conditional on the fencing token. */
    SETTLE_WITHOUT_TOKEN,
    /** The heartbeat takes the key back, even from another owner. */
    RENEW_WITHOUT_CHECK,
    /** The purge removes keys that are pending. */
    PURGE_PENDING,
    /** The answer leaves before the outcome is stored. */
    ANSWER_BEFORE_SETTLE,
    /** Operations run unprotected when the store does not answer. */
    FAIL_OPEN,
    /** The caller is not part of the key. */
    UNSCOPED_KEY,
    /** A lapsed key is taken over although the policy is to hold it. */
    RUN_AGAIN_UNDER_HOLD,
    /** Any exception of the operation counts as not executed. */
    RELEASE_ON_ANY_EXCEPTION,
    /** An attempt that takes over has the token of the one before it. */
    TAKEOVER_KEEPS_TOKEN,
    /** The replay is parsed and printed again. */
    REPLAY_RESERIALISED,
    /** A key that is sent with another request counts as a retry. */
    BODY_IGNORED,
    /** A transaction commits although its attempt has lost the lease. */
    ZOMBIE_COMMITS,
    /** The application wraps every exception and drops its cause, so that what fails around it is taken for its own. */
    CAUSES_DROPPED,
    /** The store says that an outcome is stored, also when the attempt has lost its lease. */
    SETTLE_SEEMS_DONE,
    /** The store acknowledges some outcomes before they are durable, and loses them. */
    SETTLE_FORGOTTEN,
    /** The replay is cut off, as by a column that is too short. */
    OUTCOME_CUT,
    /** A replay is sometimes that of another key. */
    OUTCOME_OF_ANOTHER,
    /** Outcomes are forgotten after a second. */
    EXPIRES_EARLY,
    /** Outcomes are kept for a day, whatever their retention says. */
    RETENTION_IGNORED,
    /** Expired keys are free immediately, although they should leave tombstones. */
    TOMBSTONE_FORGOTTEN,
    /** A claim that has lost the race sometimes runs. */
    LOST_CLAIM_RUNS,
    /** Claims are answered from memory, and not from the store. */
    CLAIMS_REMEMBERED,
    /** Outcomes are answered from memory, and not from the store. */
    OUTCOMES_REMEMBERED,
    /** A release with another version of the fingerprint takes retries for other requests. */
    UPGRADE_IS_A_MISMATCH,
    /** An attempt that takes over is not given the steps that were recorded before it. */
    STEPS_FORGOTTEN,
    /** The store acknowledges some steps before they are durable, and loses them. */
    STEP_NOT_DURABLE,
    /** The application's reconciler says "not executed" of whatever it does not find at once. */
    RECONCILER_GUESSES,
    /** The application's reconciler does not ask how long ago the lease ended, although effects are shown late. */
    RECONCILER_FORGETS_AGE,
    /** A decision about a key keeps its outcome for a day, whatever the operation's retention says. */
    DECISION_FORGETS_RETENTION,
    /** The lease is checked before an operation waits for a thread, and not after that. */
    STARTS_AFTER_WAIT,
    /** An operation that has had its effect counts as not executed, because another one inside it was denied. */
    DENIAL_RELEASES,
    /** An attempt that cannot tell what happened leaves its key free. */
    ABANDON_RELEASES,
    /** The release is not conditional on the fencing token. */
    RELEASE_WITHOUT_TOKEN,
    /** A key whose outcome is unknown is given to the next caller. */
    UNKNOWN_IS_FREE,
    /** The key of an operation inside another one is a new one with each attempt. */
    CHILD_KEY_PER_ATTEMPT,
    /** The key of an operation inside another one is only its label. */
    CHILD_KEY_SHARED,
    /** The key is cut off, as by a column that is too short. */
    KEY_CUT,
    /** A release has renamed its operations, and does not list their former names. */
    FORMER_NAME_FORGOTTEN,
    /** The database is not watched for restores. */
    RESTORE_UNNOTICED,
    /** A consumer takes what the broker has named a delivery for the key, so that a message that is sent twice has two. */
    KEY_OF_DELIVERY,
    /** A consumer drops its dead letters. */
    DEAD_LETTERS_DROPPED,
    /** The handler of a message returns before its work is done. */
    HANDLER_RETURNS_EARLY;

    private static final int CUT = 4;

    private static final Set<Bug> OF_POSTGRES = EnumSet.of(
            SETTLE_WITHOUT_TOKEN,
            RENEW_WITHOUT_CHECK,
            PURGE_PENDING,
            ZOMBIE_COMMITS,
            RELEASE_WITHOUT_TOKEN,
            RESTORE_UNNOTICED);

    private static final Set<Bug> OF_CONSUMERS =
            EnumSet.of(KEY_OF_DELIVERY, DEAD_LETTERS_DROPPED, HANDLER_RETURNS_EARLY);

    /** Whether only consumers of messages can have it. */
    public boolean needsBroker() {
        return OF_CONSUMERS.contains(this);
    }

    /** Whether it is made of statements for PostgreSQL, of transactions, or of what guards databases. */
    public boolean needsPostgres() {
        return OF_POSTGRES.contains(this);
    }

    /** The bug with this name, as {@link #toString} gives it. */
    public static Bug named(String name) {
        return Arrays.stream(values())
                .filter(bug -> bug.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no bug " + name + "; there are " + Arrays.toString(values())));
    }

    Policy changed(Policy policy) {
        if (this == FAIL_OPEN && policy.mode() == Mode.EXTERNAL) {
            return policy.toBuilder().whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        }
        return this == RELEASE_ON_ANY_EXCEPTION
                ? policy.toBuilder().notExecuted(any -> true).build()
                : policy;
    }

    Key changed(Key key) {
        return switch (this) {
            case UNSCOPED_KEY -> Key.of("everybody", key.value());
            case KEY_CUT -> Key.of(key.scope(), key.value().substring(0, CUT));
            default -> key;
        };
    }

    Key childKey(Key child, String label, int attempt) {
        return switch (this) {
            case CHILD_KEY_SHARED -> Key.of(child.scope(), label);
            case CHILD_KEY_PER_ATTEMPT -> Key.of(child.scope(), child.value() + "-" + attempt);
            default -> child;
        };
    }

    /** With that bug, an operation sometimes waits for up to two leases before it starts. */
    ExternalOperation.AsyncWork<Outcome> starting(Duration lease, ExternalOperation.AsyncWork<Outcome> work) {
        return this != STARTS_AFTER_WAIT
                ? work
                : attempt -> CompletableFuture.supplyAsync(
                                () -> attempt,
                                CompletableFuture.delayedExecutor(
                                        ThreadLocalRandom.current().nextLong(2 * lease.toMillis()),
                                        TimeUnit.MILLISECONDS))
                        .thenCompose(work::run);
    }

    Fingerprint ofChild(Fingerprint fingerprint) {
        return this == CHILD_KEY_SHARED ? Fingerprint.of("any order") : fingerprint;
    }

    Fingerprint changed(Fingerprint fingerprint, int version, byte[] body) {
        return switch (this) {
            case BODY_IGNORED -> Fingerprint.of("any body");
            case UPGRADE_IS_A_MISMATCH -> Fingerprint.of(version + new String(body, StandardCharsets.UTF_8));
            default -> fingerprint;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
