package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A torture that finds nothing proves nothing unless it would have found something: each planted bug is found within two
 * minutes. {@code -Dsemel.torture.bugs=all} plants all of them, one after the other.
 */
class PlantedBugsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    static List<Bug> bugs() {
        String names = System.getProperty("semel.torture.bugs", "replay-reserialised,release-on-any-exception");
        return Arrays.stream(names.equals("all") ? names(Bug.values()) : names.split(","))
                .map(Bug::named)
                .filter(bug -> bug != Bug.NONE)
                .toList();
    }

    private static String[] names(Bug[] bugs) {
        return Arrays.stream(bugs).map(Bug::toString).toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void findsThePlantedBug(Bug bug) throws Exception {
        TorturePlan plan = new TorturePlan(
                LIMIT,
                TorturePlan.Store.POSTGRES,
                FaultKind.parse(faults(bug)),
                7,
                3,
                300,
                Duration.ofSeconds(2),
                "semel",
                bug,
                true);

        Verdict verdict = new TortureRun(plan, System.out).run();

        verdict.print(System.out);
        assertThat(verdict.findings().isClean())
                .as("%s is planted, and no guarantee was found broken within %s", bug, LIMIT)
                .isFalse();
    }

    /** What brings the bug to light soonest. */
    private static String faults(Bug bug) {
        return switch (bug) {
            case SETTLE_WITHOUT_TOKEN, RENEW_WITHOUT_CHECK, ZOMBIE_COMMITS -> "pause,heartbeat";
            case ANSWER_BEFORE_SETTLE, RUN_AGAIN_UNDER_HOLD, TAKEOVER_KEEPS_TOKEN -> "kill,pause";
            case CAUSES_DROPPED -> "kill,pause,partition";
            case FAIL_OPEN -> "partition";
            default -> "none";
        };
    }
}
