package dev.semel.engine.histories;

import dev.semel.testkit.history.Guarantee;
import org.jspecify.annotations.Nullable;

/**
 * A protection that a wrapper around an operation, an executor, a store or a policy removes, and the guarantee that is
 * then broken.
 */
enum EngineFlaw {
    /** The application's exceptions do not say that a failure of Semel is behind them, so it becomes the outcome. */
    HIDES_WHERE_A_FAILURE_CAME_FROM(Guarantee.G9),
    /** The operation waits for a thread after the engine has looked at its lease, and not before. */
    STARTS_LONG_AFTER_THE_LEASE_WAS_CHECKED(Guarantee.G5),
    /** The store does not keep the retention with the claim, so that a decision keeps a key for a day. */
    DECISIONS_FORGET_THE_RETENTION(Guarantee.G7),
    /** Renewals that are sent together wait for a locked row. */
    RENEWALS_WAIT_FOR_A_HELD_ROW(Guarantee.G10),
    /** A claim whose commit stalls is mistaken for the live lease of another attempt when it is sent again. */
    A_STALLED_CLAIM_LOOKS_LIKE_ANOTHERS(Guarantee.G8),
    /** Claims without a waiting caller take effect. */
    CANCELLED_CLAIMS_TAKE_EFFECT(Guarantee.G10),
    /** A duplicate that waited becomes the owner, and does not run. */
    WAITERS_DO_NOT_RUN(Guarantee.G10),
    /** The fingerprint does not say which fields it covers. */
    FINGERPRINTS_WITHOUT_RULES(Guarantee.G11),
    /** The key contains the name of a method, which changes with a deploy. */
    KEYS_CONTAIN_THE_NAME_OF_A_METHOD(Guarantee.G11),
    /** An operation that is renamed does not say what it was called before. */
    FORMER_NAMES_ARE_NOT_LISTED(Guarantee.G11),
    /** The fingerprint does not say which operation was asked for. */
    FINGERPRINTS_WITHOUT_OPERATION(Guarantee.G2),
    /** The maintenance knows another policy under the name of an operation. */
    TWO_POLICIES_UNDER_ONE_NAME(Guarantee.G9),
    NONE(null);

    final @Nullable Guarantee broken;

    EngineFlaw(@Nullable Guarantee broken) {
        this.broken = broken;
    }
}
