package dev.semel.torture.node;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import java.util.Arrays;
import java.util.Locale;

/**
 * A mistake that a node can be started with, to show that the torture finds it. Each is one that an implementation of
 * Semel, or of a service on it, could really have.
 */
public enum Bug {
    NONE,
    /** The settle is not conditional on the fencing token. */
    SETTLE_WITHOUT_TOKEN,
    /** The heartbeat takes the key back, whoever has it by then. */
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
    /** The replay is parsed and printed anew. */
    REPLAY_RESERIALISED,
    /** A key that is sent with another request counts as a retry. */
    BODY_IGNORED,
    /** A transaction commits although its attempt has lost the lease. */
    ZOMBIE_COMMITS,
    /** The application wraps every exception and drops its cause, so that what fails around it is taken for its own. */
    CAUSES_DROPPED;

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
        return this == UNSCOPED_KEY ? Key.of("everybody", key.value()) : key;
    }

    Fingerprint changed(Fingerprint fingerprint) {
        return this == BODY_IGNORED ? Fingerprint.of("any body") : fingerprint;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
