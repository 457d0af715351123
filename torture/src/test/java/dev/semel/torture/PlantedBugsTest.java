package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.testservers.EtcdCluster;
import dev.semel.testservers.GaleraCluster;
import dev.semel.testservers.PatroniCluster;
import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A torture that finds nothing proves nothing unless it would have found something: each planted bug is found within two
 * minutes. The build plants one in each store. {@code -Dsemel.torture.bugs=all} plants all of them, one after the other, in
 * PostgreSQL, or in the store that {@code -Dsemel.torture.store} names.
 */
class PlantedBugsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** What is lost is known when nothing is under way any more. */
    private static final Duration UNTIL_THE_END = Duration.ofSeconds(5);

    static Stream<Arguments> bugs() {
        if (System.getProperty("semel.torture.bugs", "").equals("all")) {
            StoreKind store = StoreKind.named(System.getProperty("semel.torture.store", "postgres"));
            return Arrays.stream(Bug.values())
                    .filter(bug -> bug != Bug.NONE && (store == StoreKind.POSTGRES || !bug.needsPostgres()))
                    .map(bug -> Arguments.of(store, bug.needsBroker() ? Door.SQS : Door.ENGINE, bug));
        }
        return Stream.of(
                Arguments.of(StoreKind.POSTGRES, Door.ENGINE, Bug.RELEASE_ON_ANY_EXCEPTION),
                Arguments.of(StoreKind.MARIADB, Door.ENGINE, Bug.OUTCOME_CUT),
                Arguments.of(StoreKind.SQLITE, Door.ENGINE, Bug.REPLAY_RESERIALISED),
                Arguments.of(StoreKind.REDIS, Door.ENGINE, Bug.OUTCOME_OF_ANOTHER),
                Arguments.of(StoreKind.DYNAMODB, Door.ENGINE, Bug.BODY_IGNORED),
                Arguments.of(StoreKind.ETCD, Door.ENGINE, Bug.UNSCOPED_KEY),
                Arguments.of(StoreKind.REDIS, Door.KAFKA, Bug.KEY_OF_DELIVERY),
                Arguments.of(StoreKind.REDIS, Door.SQS, Bug.HANDLER_RETURNS_EARLY),
                Arguments.of(StoreKind.REDIS, Door.RABBITMQ, Bug.UNSCOPED_KEY));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void findsThePlantedBug(StoreKind store, Door door, Bug bug) throws Exception {
        assumeTrue(store != StoreKind.ETCD || EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        assumeTrue(store != StoreKind.PATRONI || PatroniCluster.missing().isEmpty(), "Patroni is not installed");
        assumeTrue(store != StoreKind.GALERA || GaleraCluster.missing().isEmpty(), "Galera is not installed");
        TorturePlan plan = new TorturePlan(
                bug == Bug.DEAD_LETTERS_DROPPED ? UNTIL_THE_END : LIMIT,
                store,
                door,
                FaultKind.parse(faults(bug)),
                7,
                2,
                Math.min(200, store.usualRate()),
                Duration.ofSeconds(2),
                "semel",
                bug,
                true);

        Verdict verdict = new TortureRun(plan, System.out).run();

        verdict.print(System.out);
        assertThat(verdict.findings().isClean())
                .as("%s is planted in %s at %s, and no guarantee was found broken within %s", bug, store, door, LIMIT)
                .isFalse();
    }

    /** What brings the bug to light soonest. */
    private static String faults(Bug bug) {
        return switch (bug) {
            case STARTS_AFTER_WAIT -> "pause,renewals";
            case DECISION_FORGETS_RETENTION -> "memory,operator";
            case OUTCOMES_REMEMBERED -> "erasure";
            case SETTLE_WITHOUT_TOKEN, RENEW_WITHOUT_CHECK, ZOMBIE_COMMITS, SETTLE_SEEMS_DONE, RELEASE_WITHOUT_TOKEN ->
                "pause,heartbeat";
            case ANSWER_BEFORE_SETTLE,
                    RUN_AGAIN_UNDER_HOLD,
                    TAKEOVER_KEEPS_TOKEN,
                    STEPS_FORGOTTEN,
                    STEP_NOT_DURABLE,
                    RECONCILER_GUESSES,
                    RECONCILER_FORGETS_AGE,
                    UNKNOWN_IS_FREE,
                    CHILD_KEY_PER_ATTEMPT,
                    HANDLER_RETURNS_EARLY -> "kill,pause";
            case CAUSES_DROPPED -> "kill,pause,partition";
            case FAIL_OPEN -> "partition";
            case ABANDON_RELEASES -> "memory";
            case RESTORE_UNNOTICED -> "restore";
            case UPGRADE_IS_A_MISMATCH, FORMER_NAME_FORGOTTEN -> "upgrade";
            default -> "none";
        };
    }
}
