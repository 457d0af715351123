package dev.semel.policy;

import dev.semel.util.Durations;
import java.time.Duration;

/** What a duplicate gets while the first request is in flight. */
public sealed interface Duplicates {

    /** It immediately gets <em>in flight</em>. */
    record Reject() implements Duplicates {}

    /** It waits for the outcome, at most this long. */
    record Wait(Duration limit) implements Duplicates {

        public Wait {
            Durations.requirePositive("wait limit", limit);
        }
    }

    /** It gets <em>accepted</em>, and the address of the outcome. */
    record Accepted() implements Duplicates {}

    static Duplicates reject() {
        return new Reject();
    }

    static Duplicates waitFor(Duration limit) {
        return new Wait(limit);
    }

    static Duplicates accepted() {
        return new Accepted();
    }
}
