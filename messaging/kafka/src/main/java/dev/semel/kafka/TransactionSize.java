package dev.semel.kafka;

import java.time.Duration;

/**
 * How many records of a partition share a transaction: more and more while they succeed, and none after a failure or a
 * crash, so that the next record is handled alone. The lane guards it.
 */
final class TransactionSize {

    /**
     * PostgreSQL has room for 64 locks and 64 nested transactions in each session. A record takes one of each, and its
     * handler may take more.
     */
    private static final int LARGEST = 32;

    /** After this time a transaction takes up no more records: others should not wait long for its locks. */
    private static final Duration LONGEST = Duration.ofMillis(200);

    private static final int MOST_ALONE = 1024;

    private final int largest;
    private int size = 1;
    private int alone;
    private int nextAlone = 1;

    TransactionSize(int inFlight) {
        this.largest = Math.min(LARGEST, inFlight);
    }

    int size() {
        return alone > 0 ? 1 : size;
    }

    static boolean hasTimeLeft(long startedAt) {
        return System.nanoTime() - startedAt < LONGEST.toNanos();
    }

    /** A record was handled in its own transaction. */
    void settledAlone() {
        if (alone > 0) {
            alone--;
        } else {
            grow();
        }
    }

    private void grow() {
        size = Math.min(largest, size * 2);
    }

    /** A transaction was offered so many records, and has settled the first ones of them. */
    void ended(long startedAt, int offered, int settled) {
        boolean timeLeft = hasTimeLeft(startedAt);
        if (settled == offered) {
            nextAlone = Math.max(1, nextAlone / 2);
            if (timeLeft) {
                grow();
            }
        } else if (timeLeft || settled == 0) {
            // Something that happens to records in company keeps happening, for example because handlers record steps:
            // the more often it does, the longer they are left alone.
            size = 1;
            alone = nextAlone;
            nextAlone = Math.min(MOST_ALONE, nextAlone * 2);
        } else {
            size = settled;
        }
    }
}
