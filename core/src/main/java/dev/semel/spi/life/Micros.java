package dev.semel.spi.life;

import java.time.Instant;

/** Times as microseconds since 1970, which is how exact a stored time is. */
final class Micros {

    private static final int PER_SECOND = 1_000_000;
    private static final int NANOS = 1_000;

    private Micros() {}

    static long of(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), PER_SECOND), time.getNano() / NANOS);
    }

    static Instant toInstant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, PER_SECOND), (long) Math.floorMod(micros, PER_SECOND) * NANOS);
    }
}
