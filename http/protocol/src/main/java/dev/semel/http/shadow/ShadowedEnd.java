package dev.semel.http.shadow;

/** What the end of a request in shadow mode says about its operation. */
public enum ShadowedEnd {
    /** The operation has run, and the answer would be its outcome. */
    EXECUTED,

    /** The operation has not run: protection would release the key. */
    NOT_EXECUTED,

    /** The operation may have run or not: the recovery policy would decide, and by default hold the key. */
    UNKNOWN
}
