package dev.semel.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CrashVerdictTest {

    @Test
    void isSafeIfTheClientKnowsWhatHappened() {
        assertThat(verdict(RetryAnswer.DONE, 1, 1)).isEqualTo(CrashVerdict.ONCE);
        assertThat(verdict(RetryAnswer.REFUSED, 0, 0)).isEqualTo(CrashVerdict.NOT_DONE);
        assertThat(verdict(RetryAnswer.UNKNOWN, 0, 1)).isEqualTo(CrashVerdict.UNKNOWN);
        assertThat(List.of(CrashVerdict.ONCE, CrashVerdict.NOT_DONE, CrashVerdict.UNKNOWN))
                .allMatch(CrashVerdict::isSafe);
    }

    @Test
    void isNotSafeOtherwise() {
        assertThat(verdict(RetryAnswer.UNKNOWN, 0, 2)).isEqualTo(CrashVerdict.TWICE);
        assertThat(verdict(RetryAnswer.DONE, 1, 0)).isEqualTo(CrashVerdict.LOST);
        assertThat(verdict(RetryAnswer.REFUSED, 1, 0)).isEqualTo(CrashVerdict.REFUSED_AFTER_EFFECT);
        assertThat(verdict(RetryAnswer.AGAIN, 1, 1)).isEqualTo(CrashVerdict.UNANSWERED);
        assertThat(CrashVerdict.of(RetryAnswer.DONE, false, List.of(1L))).isEqualTo(CrashVerdict.UNSTABLE);
        assertThat(List.of(
                        CrashVerdict.TWICE,
                        CrashVerdict.LOST,
                        CrashVerdict.REFUSED_AFTER_EFFECT,
                        CrashVerdict.UNANSWERED,
                        CrashVerdict.UNSTABLE))
                .noneMatch(CrashVerdict::isSafe);
    }

    private static CrashVerdict verdict(RetryAnswer answer, long... effects) {
        return CrashVerdict.of(
                answer, true, java.util.Arrays.stream(effects).boxed().toList());
    }
}
