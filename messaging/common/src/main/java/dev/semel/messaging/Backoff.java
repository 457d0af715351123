package dev.semel.messaging;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before a message is tried again: twice as long each time, up to a limit, with jitter. */
public record Backoff(Duration first, Duration last) {

    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

    public Backoff {
        if (first.isNegative() || first.isZero() || last.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a backoff begins with a positive time and ends with one at least as long, got " + first + " and "
                            + last);
        }
    }

    /** The pause after {@code tries} tries. */
    public Duration after(int tries) {
        long doublings = Math.min(Math.max(tries - 1, 0), 30);
        long longest = Math.min(last.toMillis(), first.toMillis() << doublings);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }
}
