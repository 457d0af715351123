package dev.semel.jdbc.lane;

import java.time.Duration;

/**
 * The limits of a lane: how many requests it accepts, and how long it tries.
 *
 * @param queue the most requests that wait in a lane
 * @param batch the most requests in one statement
 * @param batchBytes a batch is closed when it weighs this much
 * @param claimTimeout how long a statement that claims may take before its connection is given up
 * @param statementTimeout the same for any other statement
 * @param giveUpAfter how long a request is tried for a caller that does not give it up by itself
 */
public record LaneLimits(
        int queue, int batch, int batchBytes, Duration claimTimeout, Duration statementTimeout, Duration giveUpAfter) {

    /** Statements give up before the engine does, which waits 2 s for a claim and 5 s for a settle. */
    public static final LaneLimits DEFAULT = new LaneLimits(
            10_000, 128, 4 << 20, Duration.ofMillis(1_500), Duration.ofSeconds(4), Duration.ofSeconds(15));

    public LaneLimits {
        if (queue < 1) {
            throw new IllegalArgumentException("queue limit must be at least 1, got " + queue);
        }
        requirePositive("statement timeout", claimTimeout);
        requirePositive("statement timeout", statementTimeout);
        requirePositive("time before giving up", giveUpAfter);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(what + " must be positive and at most an hour, got " + value);
        }
    }

    public LaneLimits withQueue(int limit) {
        return new LaneLimits(limit, batch, batchBytes, claimTimeout, statementTimeout, giveUpAfter);
    }

    LaneLimits withBatch(int limit) {
        return new LaneLimits(queue, limit, batchBytes, claimTimeout, statementTimeout, giveUpAfter);
    }

    public LaneLimits withStatementTimeout(Duration timeout) {
        return new LaneLimits(queue, batch, batchBytes, timeout, timeout, giveUpAfter);
    }

    public LaneLimits withGiveUpAfter(Duration time) {
        return new LaneLimits(queue, batch, batchBytes, claimTimeout, statementTimeout, time);
    }
}
