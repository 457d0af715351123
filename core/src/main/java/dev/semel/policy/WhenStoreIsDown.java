package dev.semel.policy;

/** What happens to an operation whose key cannot be claimed because the store is down. */
public enum WhenStoreIsDown {
    /** It is refused and not run. */
    CLOSED,
    /**
     * It runs unprotected, which is counted and logged, unless the store has already answered that it is running or
     * done.
     */
    OPEN
}
