package dev.semel.jdbc;

import java.time.Duration;

/**
 * How much a store takes on, and how long it tries.
 *
 * @param queue the most requests that wait in a lane
 * @param batch the most requests in one statement
 * @param batchBytes a batch is closed when it weighs this much
 * @param statementTimeout how long one statement may take before its connection is given up
 * @param giveUpAfter how long a request is tried before its caller is told that the store is unavailable
 */
record Limits(int queue, int batch, int batchBytes, Duration statementTimeout, Duration giveUpAfter) {

    static final Limits DEFAULT = new Limits(10_000, 128, 4 << 20, Duration.ofSeconds(5), Duration.ofSeconds(15));

    Limits {
        if (queue < 1) {
            throw new IllegalArgumentException("queue limit must be at least 1, got " + queue);
        }
        requirePositive("statement timeout", statementTimeout);
        requirePositive("time before giving up", giveUpAfter);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(what + " must be positive and at most an hour, got " + value);
        }
    }

    Limits withQueue(int limit) {
        return new Limits(limit, batch, batchBytes, statementTimeout, giveUpAfter);
    }

    Limits withBatch(int limit) {
        return new Limits(queue, limit, batchBytes, statementTimeout, giveUpAfter);
    }

    Limits withStatementTimeout(Duration timeout) {
        return new Limits(queue, batch, batchBytes, timeout, giveUpAfter);
    }

    Limits withGiveUpAfter(Duration time) {
        return new Limits(queue, batch, batchBytes, statementTimeout, time);
    }
}
