package dev.semel.gateway.quota;

import java.util.Arrays;

/**
 * How many keys and bytes of a caller the store keeps, as far as this gateway has stored them. They are counted in slots of
 * time by when they expire: what expires in a slot is counted until the slot is over.
 */
final class KeptKeys {

    /** A key is counted for at most a sixteenth of the longest retention too long. */
    static final int SLOTS = 16;

    private final long width;
    private final long[] keys = new long[SLOTS + 1];
    private final long[] bytes = new long[SLOTS + 1];
    private long current;

    /**
     * @param width how many nanoseconds a slot has
     * @param now when this begins; times are never before it
     */
    KeptKeys(long width, long now) {
        this.width = width;
        this.current = slot(now);
    }

    private long slot(long time) {
        return Math.floorDiv(time, width);
    }

    private static int index(long slot) {
        return Math.floorMod(slot, SLOTS + 1);
    }

    void add(long size, long now, long retention) {
        expire(now);
        int at = index(Math.min(slot(now + retention), current + SLOTS));
        keys[at]++;
        bytes[at] += size;
    }

    long keys(long now) {
        expire(now);
        return Arrays.stream(keys).sum();
    }

    long bytes(long now) {
        expire(now);
        return Arrays.stream(bytes).sum();
    }

    /** The number of nanoseconds until the next of them is no longer counted. */
    long untilNext(long now) {
        expire(now);
        long slot = current;
        while (keys[index(slot)] == 0 && slot < current + SLOTS) {
            slot++;
        }
        return (slot + 1) * width - now;
    }

    private void expire(long now) {
        long reached = slot(now);
        for (long slot = Math.max(current, reached - SLOTS - 1); slot < reached; slot++) {
            keys[index(slot)] = 0;
            bytes[index(slot)] = 0;
        }
        current = reached;
    }
}
