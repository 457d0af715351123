package dev.semel.jdbc;

import java.time.Duration;

/**
 * How much a store takes on, and how long it tries.
 *
 * @param queue the most requests that wait in a lane
 * @param batch the most requests in one statement
 * @param batchBytes a batch is closed when it weighs this much
 * @param claimTimeout how long a statement that claims may take before its connection is given up
 * @param statementTimeout the same for any other statement
 * @param giveUpAfter how long a request is tried for a caller that does not give it up by itself
 */
record Limits(
        int queue, int batch, int batchBytes, Duration claimTimeout, Duration statementTimeout, Duration giveUpAfter) {

    /** Statements give up before the engine does, which waits 2 s for a claim and 5 s for a settle. */
    static final Limits DEFAULT =
            new Limits(10_000, 128, 4 << 20, Duration.ofMillis(1_500), Duration.ofSeconds(4), Duration.ofSeconds(15));

    Limits {
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

    Limits withQueue(int limit) {
        return new Limits(limit, batch, batchBytes, claimTimeout, statementTimeout, giveUpAfter);
    }

    Limits withBatch(int limit) {
        return new Limits(queue, limit, batchBytes, claimTimeout, statementTimeout, giveUpAfter);
    }

    Limits withStatementTimeout(Duration timeout) {
        return new Limits(queue, batch, batchBytes, timeout, timeout, giveUpAfter);
    }

    Limits withGiveUpAfter(Duration time) {
        return new Limits(queue, batch, batchBytes, claimTimeout, statementTimeout, time);
    }
}
