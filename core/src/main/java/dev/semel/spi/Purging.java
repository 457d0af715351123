package dev.semel.spi;

import java.util.concurrent.CompletionStage;

/** A store that removes records whose retention has passed. */
public interface Purging {

    /**
     * Removes at most {@code limit} settled records that have outlived their whole retention; never a pending or unknown
     * one. Safe on several nodes at once.
     */
    CompletionStage<Purged> purge(int limit);

    /**
     * What one bounded purge did.
     *
     * @param more whether calling again immediately is likely to find more
     */
    record Purged(long removed, boolean more) {}
}
