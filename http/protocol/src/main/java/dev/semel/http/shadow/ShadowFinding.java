package dev.semel.http.shadow;

import java.util.Locale;

/** A finding of shadow mode about a request: what Semel would have done with it. */
public enum ShadowFinding {
    /** The same key with the same request, after the first one had ended: it would have been replayed. */
    EXECUTED_TWICE("same key"),
    /** The same key with the same request, while the first one was running: it would have waited, or been refused with 409. */
    EXECUTED_IN_PARALLEL("same key, in parallel"),
    /** The same request under another key, shortly after the first one: a key per try protects nothing. */
    EXECUTED_UNDER_NEW_KEY("new key"),
    /** The same request shortly after the first one, both without a key. */
    EXECUTED_WITHOUT_KEY("no key"),
    /** The same key with the same request, where one of the two was answered with an error: it would have been replayed. */
    RETRIED_WITH_ERROR("error repeated"),
    /** A new key, whose operation may have run or not: by default, the key would have been held until an operator resolves it. */
    OUTCOME_UNKNOWN("outcome unknown"),
    /** The same key with another request: it would have been refused with 422. */
    KEY_REUSED("key reused"),
    /** No key: it would have been refused with 400 if keys were required. */
    KEY_MISSING("key missing"),
    /** A key that cannot be used: it would have been refused with 400. */
    KEY_INVALID("key invalid"),
    /** No caller that the key could belong to: it would have been refused with 403. */
    CALLER_UNKNOWN("caller unknown"),
    /** A signature that is missing or wrong: it would have been refused with 401. */
    SIGNATURE_INVALID("signature invalid"),
    /** A body that is larger than the rules accept: it would have been refused with 413. */
    BODY_TOO_LARGE("body too large");

    private final String label;

    ShadowFinding(String label) {
        this.label = label;
    }

    /** A short label for people. */
    public String label() {
        return label;
    }

    /** The name in metrics and JSON, such as {@code executed_twice}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the operation of the request has run twice. */
    public boolean isSecondExecution() {
        return this == EXECUTED_TWICE
                || this == EXECUTED_IN_PARALLEL
                || this == EXECUTED_UNDER_NEW_KEY
                || this == EXECUTED_WITHOUT_KEY;
    }
}
