package dev.semel.util;

import java.time.Duration;

/** Checks on durations that people configure. */
public final class Durations {

    /** Beyond this, timestamp arithmetic in databases overflows long before it makes sense. */
    private static final Duration MAX = Duration.ofDays(36_500);

    private Durations() {}

    /** How long ago a reading of {@link System#nanoTime} was taken. */
    public static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    public static Duration requirePositive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(what + " must be positive, got " + value);
        }
        return requireNotNegative(what, value);
    }

    public static Duration requireNotNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, got " + value);
        }
        if (value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must be at most " + MAX.toDays() + " days, got " + value);
        }
        return value;
    }

    public static Duration requireAtLeast(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", got " + value);
        }
        return requireNotNegative(what, value);
    }
}
