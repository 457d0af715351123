package dev.semel.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times and durations in microseconds, the unit of the server's clock. */
final class Micros {

    private Micros() {}

    static long of(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    static long of(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static Instant instant(double micros) {
        return Instant.EPOCH.plus((long) micros, ChronoUnit.MICROS);
    }
}
