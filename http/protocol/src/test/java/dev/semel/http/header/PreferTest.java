package dev.semel.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PreferTest {

    @Test
    void p8ReadsHowLongAClientWouldWait() {
        assertThat(Prefer.wait(List.of("wait=10"))).isEqualTo(10);
        assertThat(Prefer.wait(List.of("respond-async, WAIT = 7; x=1"))).isEqualTo(7);
        assertThat(Prefer.wait(List.of("wait=\"3\""))).isEqualTo(3);
        assertThat(Prefer.wait(List.of("return=minimal", "wait=0"))).isZero();
        assertThat(Prefer.wait(List.of("wait=1, wait=2"))).isEqualTo(1);
    }

    @Test
    void p8IgnoresWhatIsMalformed() {
        for (String line :
                List.of("", "wait", "wait=", "wait=-1", "wait=1.5", "await=10", "wait=99999999999", "x=\"wait=1\"y")) {
            assertThat(Prefer.wait(List.of(line))).as(line).isEqualTo(Prefer.NO_WAIT);
        }
        assertThat(Prefer.wait(List.of(" ".repeat(100_000) + "wait=1"))).isEqualTo(Prefer.NO_WAIT);
        assertThat(Prefer.wait(List.of())).isEqualTo(Prefer.NO_WAIT);
    }
}
