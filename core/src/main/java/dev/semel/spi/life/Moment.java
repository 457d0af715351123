package dev.semel.spi.life;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment of the clock that decides leases and expiry.
 *
 * @param now the time of the clock
 * @param skew the maximum difference between the clocks of two machines: zero if the store's own server has the clock.
 *     A time counts as passed only when it has passed on every machine
 */
public record Moment(Instant now, Duration skew) {

    /** A moment of a single clock that all machines use. */
    public static Moment of(Instant now) {
        return new Moment(now, Duration.ZERO);
    }

    public boolean hasPassed(Instant time) {
        return !now.isBefore(time.plus(skew));
    }

    /** Whether that time has passed on some machine. */
    public boolean mayHavePassed(Instant time) {
        return !now.plus(skew).isBefore(time);
    }

    /** How long until that time; if it has passed here, how long until it has passed on every machine. */
    public Duration until(Instant time) {
        return atLeastZero(Duration.between(now, now.isBefore(time) ? time : time.plus(skew)));
    }

    public Duration since(Instant time) {
        return atLeastZero(Duration.between(time, now));
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
