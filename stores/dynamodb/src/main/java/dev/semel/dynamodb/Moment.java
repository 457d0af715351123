package dev.semel.dynamodb;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment of this machine's clock, and what it says of times that other machines wrote.
 *
 * <p>DynamoDB has no clock that a condition could use, so the clocks of the machines decide, and they differ. A time has
 * passed on every machine when it has passed here by as much as two clocks may differ.
 */
record Moment(Instant now, Duration maxClockSkew) {

    boolean hasPassed(Instant time) {
        return !now.isBefore(time.plus(maxClockSkew));
    }

    /** Whether that time has passed on some machine. */
    boolean mayHavePassed(Instant time) {
        return !now.plus(maxClockSkew).isBefore(time);
    }

    /** How long until that time; if it has passed here, how long until it has passed on every machine. */
    Duration left(Instant time) {
        return atLeastZero(Duration.between(now, now.isBefore(time) ? time : time.plus(maxClockSkew)));
    }

    Duration since(Instant time) {
        return atLeastZero(Duration.between(time, now));
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
