package dev.semel.util;

import java.time.Duration;
import java.time.Instant;

/** Times as microseconds since 1970, and durations as microseconds, which is how exact stored ones are. */
public final class Micros {

    private static final int PER_SECOND = 1_000_000;
    private static final int NANOS = 1_000;

    private Micros() {}

    public static long of(Instant time) {
        return of(time.getEpochSecond(), time.getNano());
    }

    public static long of(Duration duration) {
        return of(duration.getSeconds(), duration.getNano());
    }

    private static long of(long seconds, int nanos) {
        return Math.addExact(Math.multiplyExact(seconds, PER_SECOND), nanos / NANOS);
    }

    public static Instant toInstant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), nanos(micros));
    }

    public static Duration toDuration(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, PER_SECOND), nanos(micros));
    }

    private static long nanos(long micros) {
        return (long) Math.floorMod(micros, PER_SECOND) * NANOS;
    }
}
