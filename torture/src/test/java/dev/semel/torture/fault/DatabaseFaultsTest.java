package dev.semel.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DatabaseFaultsTest {

    private static final Duration LONG = Duration.ofSeconds(180);

    @Test
    void oneStallInEightLastsAMinuteIfTheRunIsLongEnough() {
        assertThat(longStalls(LONG)).isBetween(900L, 1_100L);
        assertThat(longStalls(LONG.minusSeconds(1))).isZero();
    }

    private static long longStalls(Duration run) {
        return LongStream.range(0, 8_000)
                .mapToObj(seed -> new Random(new Random(seed).nextLong()))
                .filter(random -> DatabaseFaults.isForAMinute(run, random))
                .count();
    }
}
