package dev.semel.redis;

import java.time.Duration;

/**
 * How much a {@link Lane} takes on, and how long its calls may take.
 *
 * @param waiting the most calls that wait
 * @param waitingBytes the most bytes that wait; a larger call waits only where nothing else does
 * @param batch the most calls that travel together
 * @param batchBytes the most bytes that travel together; a larger call travels alone
 * @param underWay the most batches that are sent and not answered
 * @param timeout how long a call may take, from its arrival until it is answered
 */
record LaneLimits(int waiting, long waitingBytes, int batch, int batchBytes, int underWay, Duration timeout) {

    static final int WAITING = 10_000;

    private static final long WAITING_BYTES = 64L << 20;

    /** Single calls: Redis answers them in their order, so many may be under way. */
    static LaneLimits singles(int waiting, int lanes, Duration timeout) {
        return new LaneLimits(share(waiting, lanes), WAITING_BYTES / lanes, 1, Integer.MAX_VALUE, 128, timeout);
    }

    /** Batches: a longer one would hold up the other callers of Redis for longer. */
    static LaneLimits batches(int waiting, int lanes, Duration timeout) {
        return new LaneLimits(share(waiting, lanes), WAITING_BYTES / lanes, 64, 64 * 1024, 1, timeout);
    }

    private static int share(int waiting, int lanes) {
        return Math.max(1, waiting / lanes);
    }

    /** For calls whose number is bounded otherwise, as renewals are by the leases of a node. */
    LaneLimits withoutLimitOfWaiting() {
        return new LaneLimits(Integer.MAX_VALUE, Long.MAX_VALUE, batch, batchBytes, underWay, timeout);
    }
}
