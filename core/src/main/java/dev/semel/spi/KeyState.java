package dev.semel.spi;

/** Where a key is in its life, as seen at one moment of the store's clock. */
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
