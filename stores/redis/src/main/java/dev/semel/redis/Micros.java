package dev.semel.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Times and durations in microseconds, the unit of the server's clock. */
final class Micros {

    private Micros() {}

    static long of(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The answer of {@code TIME}: seconds and microseconds, as text. */
    static Instant ofTime(List<byte[]> time) {
        return Instant.ofEpochSecond(number(time.get(0)), number(time.get(1)) * 1_000);
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.US_ASCII));
    }
}
