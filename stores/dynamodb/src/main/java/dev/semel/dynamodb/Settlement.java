package dev.semel.dynamodb;

import dev.semel.Outcome;
import dev.semel.Retention;
import java.time.Duration;
import java.time.Instant;

/** What a settle adds to a key besides the outcome itself: the state, and the ends of its retention. */
record Settlement(State state, Instant settled, Instant expires, Instant free, long goneAfter) {

    /** For clocks that are worse than they may be. */
    private static final Duration GRACE = Duration.ofHours(1);

    static Settlement of(Outcome outcome, Retention retention, Moment moment) {
        Instant now = moment.now();
        Instant expires = now.plus(retention.active());
        return new Settlement(
                outcome.isSuccess() ? State.SUCCEEDED : State.FAILED,
                now,
                expires,
                expires.plus(retention.tombstone()),
                goneAfter(now.plus(retention.total()), moment));
    }

    /** When DynamoDB may remove an item that nobody needs from this time on. */
    static long goneAfter(Instant time, Moment moment) {
        return time.plus(moment.maxClockSkew().multipliedBy(2)).plus(GRACE).getEpochSecond() + 1;
    }

    Change addTo(Change change) {
        return change.set(Attributes.STATE, Values.text(state.letter()))
                .set(Attributes.SETTLED, Values.time(settled))
                .set(Attributes.EXPIRES, Values.time(expires))
                .set(Attributes.FREE, Values.time(free))
                .set(Attributes.GONE_AFTER, Values.number(goneAfter))
                .remove(Attributes.OPEN);
    }
}
