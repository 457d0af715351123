package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.testservers.EtcdCluster;
import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A short torture of stores and doors with fixed schedules; {@code -Dsemel.torture.seconds} makes it longer. Those that take
 * too long to start for a build are run by {@code ./semel torture} alone.
 */
class ShortTortureTest {

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("semel.torture.seconds", 4));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgres             | engine  | kill,pause,ackLost,partition,restart,rowLock,slowCommit,operator | 11",
                "postgres-generations | engine  | rotation,kill,pause | 13",
                "postgres             | engine  | restore,kill | 17",
                "sqlite               | engine  | kill,pause,disk | 12",
                "mariadb              | engine  | kill,pause,ackLost,partition,restart | 14",
                "redis                | engine  | kill,pause,ackLost,partition,restart | 15",
                "etcd                 | engine  | kill,pause,ackLost,partition,restart | 19",
                "postgres             | gateway | kill,pause,ackLost,partition,upstream | 20",
                "mariadb              | servlet | kill,pause,ackLost,partition,upgrade | 21",
                "redis                | webflux | kill,pause,ackLost,partition,upgrade,memory | 22",
                "postgres             | kafka   | kill,pause,ackLost,operator | 23",
                "redis                | sqs     | kill,pause,ackLost,broker | 24",
                "redis                | rabbitmq| kill,pause,ackLost,broker | 25",
            })
    void nothingRunsTwiceAndNothingIsLost(String store, String door, String faults, long seed) throws Exception {
        assumeTrue(!store.equals("etcd") || EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        TorturePlan plan = new TorturePlan(
                DURATION,
                StoreKind.named(store),
                Door.named(door),
                FaultKind.parse(faults),
                seed,
                2,
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
        assertThat(verdict.faults().total()).isPositive();
        assertThat(verdict.findings().effects()).isPositive();
    }
}
