package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A short torture with a fixed schedule; {@code -Dsemel.torture.seconds} makes it longer. */
class ShortTortureTest {

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("semel.torture.seconds", 12));

    @Test
    void nothingRunsTwiceAndNothingIsLostOnPostgres() throws Exception {
        Verdict verdict = torture(TorturePlan.Store.POSTGRES, "kill,pause,ackLost,partition,restart,upgrade", 11);

        assertThat(verdict.numbers().get("torture.faults.kill")).isNotEqualTo(0L);
        assertThat(verdict.numbers().get("torture.faults.ackLost")).isNotEqualTo(0L);
    }

    @Test
    void nothingRunsTwiceAndNothingIsLostWhileGenerationsRotate() throws Exception {
        Verdict verdict = torture(TorturePlan.Store.POSTGRES, "rotation,kill,pause", 13);

        assertThat(verdict.numbers().get("torture.faults.kill")).isNotEqualTo(0L);
        assertThat(verdict.numbers().get("torture.faults.rotation")).isNotEqualTo(0L);
    }

    @Test
    void nothingRunsTwiceAndNothingIsLostOnSqlite() throws Exception {
        Verdict verdict = torture(TorturePlan.Store.SQLITE, "kill,pause,disk", 12);

        assertThat(verdict.numbers().get("torture.faults.kill")).isNotEqualTo(0L);
    }

    private static Verdict torture(TorturePlan.Store store, String faults, long seed) throws Exception {
        TorturePlan plan = new TorturePlan(
                DURATION,
                store,
                FaultKind.parse(faults),
                seed,
                3,
                200,
                Duration.ofMillis(1_500),
                "semel",
                Bug.NONE,
                true);
        Verdict verdict = new TortureRun(plan, System.out).run();
        verdict.print(System.out);
        assertThat(verdict.findings().shortestStory()).isEmpty();
        assertThat(verdict.findings().leftovers()).isEmpty();
        assertThat(verdict.findings().isClean()).isTrue();
        return verdict;
    }
}
