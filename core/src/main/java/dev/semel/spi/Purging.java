package dev.semel.spi;

import java.util.concurrent.CompletionStage;

/** A store that removes records whose retention has passed. */
public interface Purging {

    /**
     * Removes at most {@code limit} settled records that have outlived their whole retention; never a pending or
     * unknown one. Several nodes may call it at the same time.
     */
    CompletionStage<Purged> purge(int limit);

    /**
     * The result of one bounded purge.
     *
     * @param more whether calling again immediately is likely to find more
     */
    record Purged(long removed, boolean more) {}
}
