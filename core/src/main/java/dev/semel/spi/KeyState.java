package dev.semel.spi;

/** The state of a key at one moment of the store's clock. */
public enum KeyState {
    /** An attempt owns the key and its lease is live. */
    PENDING,
    /** An attempt owns the key but its lease has lapsed. */
    LAPSED,
    /** The owner died and the outcome is unknown. */
    UNKNOWN,
    SUCCEEDED,
    FAILED,
    /** Settled, but its retention has passed. */
    EXPIRED
}
