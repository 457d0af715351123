package dev.semel.policy;

/** How an operation and the writes to its key relate to a transaction. */
public enum Mode {
    /** Claim, run, settle, each on its own: for effects outside the store's database. */
    EXTERNAL,
    /** Claim on its own, then the business transaction with the settle inside it. */
    TRANSACTIONAL,
    /** Claim, business writes and settle in one commit. */
    SINGLE_TRANSACTION
}
