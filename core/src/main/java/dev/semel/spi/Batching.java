package dev.semel.spi;

import java.util.Map;

/** A store that sends calls in batches, and reports their size. Asking costs it nothing. */
public interface Batching {

    /** The counts of each kind of call, by its name, such as {@code claim}. */
    Map<String, Batches> batches();

    /**
     * Counts of one kind of call, of this process and since its start.
     *
     * @param queued how many wait to be sent, now
     * @param batches how many batches were sent
     * @param calls how many calls were in them
     * @param lockWaits how many batches waited for a lock until the database gave up
     * @param deadlocks how many batches were chosen to end a deadlock
     */
    record Batches(long queued, long batches, long calls, long lockWaits, long deadlocks) {}
}
