package dev.semel.gateway.config;

import java.time.Duration;

/**
 * How fast the body of a protected request must arrive.
 *
 * @param deadline how long all of it may take
 * @param grace how long it may be slower than the rate
 * @param bytesPerSecond on average; 0 for any
 */
public record Receiving(Duration deadline, Duration grace, long bytesPerSecond) {

    private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);

    static Receiving of(Duration deadline, Duration idleTimeout, long bytesPerSecond) {
        return new Receiving(
                deadline, idleTimeout.compareTo(LONGEST_GRACE) < 0 ? idleTimeout : LONGEST_GRACE, bytesPerSecond);
    }

    /** Whether so many bytes are too few after this time. */
    public boolean isTooSlow(long received, Duration elapsed) {
        return elapsed.compareTo(grace) > 0 && received * 1000 < bytesPerSecond * elapsed.toMillis();
    }
}
