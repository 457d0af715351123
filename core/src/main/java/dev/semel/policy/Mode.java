package dev.semel.policy;

/** How an operation and the writes to its key relate to a transaction. */
public enum Mode {
    /** Claim, run and settle are three separate steps: for effects outside the store's database. */
    EXTERNAL,
    /** The claim commits first; the business transaction then includes the settle. */
    TRANSACTIONAL,
    /** Claim, business writes and settle are one commit. */
    SINGLE_TRANSACTION
}
