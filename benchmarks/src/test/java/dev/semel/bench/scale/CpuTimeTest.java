package dev.semel.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuTimeTest {

    private static final List<ProcessHandle> SELF = List.of(ProcessHandle.current());

    @Test
    void growsWithWhatAProcessDoes() {
        long before = CpuTime.micros(SELF);
        long user =
                ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
        long spun = 0;
        while (CpuTime.micros(SELF) < before + 50_000) {
            spun++;
        }

        assertThat(spun).isPositive();
        assertThat(CpuTime.micros(SELF))
                .isGreaterThanOrEqualTo(Duration.ofMillis(user).toNanos() / 1000);
    }

    @Test
    void leavesOutTheCompiler() {
        assertThat(CpuTime.microsWithoutCompiler(SELF)).isPositive().isLessThan(CpuTime.micros(SELF));
    }

    @Test
    void countsNothingOfAProcessThatHasEnded() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThat(CpuTime.micros(List.of(ended.toHandle()))).isZero();
    }
}
