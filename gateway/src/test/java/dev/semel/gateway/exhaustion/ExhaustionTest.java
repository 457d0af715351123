package dev.semel.gateway.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Beside every flood, a well-behaved caller gets every charge done. {@link Exhaustion} measures how many. */
class ExhaustionTest {

    private static final Duration TIME = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    /** Slow keys of one caller need limits per caller. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLOW_KEYS_OF_ONE_CALLER")
    void aCallerGetsItsChargesDoneBeside(Flood.Attack attack) throws Exception {
        try (Exhaustion bench = new Exhaustion(directory, false);
                Flood flood = bench.flood(attack)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> flood.opened() >= attack.connections());
            assertThat(bench.caller().send(TIME)).containsOnlyKeys(201);
            assertThat(bench.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallerGetsItsChargesDoneBesideAFloodOfStreams(boolean reset) throws Exception {
        try (Exhaustion bench = new Exhaustion(directory, true);
                StreamFlood flood = bench.streams(reset)) {
            assertThat(bench.caller().send(TIME)).containsOnlyKeys(201);
            assertThat(bench.isAlive()).isTrue();
        }
    }
}
