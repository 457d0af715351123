package dev.semel.dynamodb;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The clock of this machine, as far as it is to be relied on. */
record Clock(
        InstantSource source,
        Duration maxClockSkew,
        @Nullable ClockGuard guard) {

    Moment moment() {
        return new Moment(source.instant(), maxClockSkew);
    }

    /** The present moment, for a decision that a wrong clock must not make; refused like {@link #requireGood}. */
    Moment goodMoment() {
        requireGood();
        return moment();
    }

    boolean foundWrong() {
        return guard != null && guard.foundWrong();
    }

    /** Throws a {@link dev.semel.StoreException} if the clock was last seen to be wrong. */
    void requireGood() {
        if (guard != null) {
            guard.requireGoodClock();
        }
    }
}
