package dev.semel.testkit;

/** A fault in a store call. */
public enum Fault {
    /** The call fails and has no effect. */
    FAILS_BEFORE,
    /** The call takes effect, and its answer is lost: the caller sees a failure. */
    FAILS_AFTER,
    /** The call takes effect, and the caller never gets an answer. */
    NEVER_ANSWERS,
    /** The store refuses the call for good, and it has no effect. */
    REFUSES
}
