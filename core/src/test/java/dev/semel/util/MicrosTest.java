package dev.semel.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MicrosTest {

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1970-01-01T00:00:00.000001999Z, 1",
        "1969-12-31T23:59:59.999999Z, -1",
        "2026-11-19T02:00:00.123456Z, 1795053600123456"
    })
    void aTimeIsCutToMicroseconds(Instant time, long micros) {
        assertThat(Micros.of(time)).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0", "PT0.000001999S, 1", "PT-0.000001S, -1", "PT2H, 7200000000"})
    void aDurationIsCutToMicroseconds(Duration duration, long micros) {
        assertThat(Micros.of(duration)).isEqualTo(micros);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 999_999, -1_000_001, 1_795_053_600_123_456L, Long.MAX_VALUE})
    void whatWasCutComesBackAsItIs(long micros) {
        assertThat(Micros.of(Micros.toInstant(micros))).isEqualTo(micros);
        assertThat(Micros.of(Micros.toDuration(micros))).isEqualTo(micros);
    }
}
