package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.testservers.RedisCluster;
import dev.semel.testservers.RedisProcess;
import dev.semel.testservers.ReplicatedRedis;
import dev.semel.testservers.SentinelGroup;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master is killed under load. How often is for the property {@code semel.failovers} to say.
 *
 * <p>When all replicas of a master confirm each write nothing is lost. Without, the last writes may be; then the node that had
 * them acknowledged is refused, and never runs the same operation again.
 */
class FailoverTest {

    private static final Logger log = LoggerFactory.getLogger(FailoverTest.class);
    private static final int FAILOVERS = Integer.getInteger("semel.failovers", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void sentinelLosesNothingThatItsReplicasHaveConfirmed() {
        try (SentinelGroup group = SentinelGroup.start(Duration.ofSeconds(1))) {
            for (int i = 0; i < FAILOVERS; i++) {
                losesNothing(group);
            }
        }
    }

    @Test
    void sentinelRunsNothingTwiceWithoutConfirmation() {
        try (SentinelGroup group = SentinelGroup.start(Duration.ofSeconds(1))) {
            for (int i = 0; i < FAILOVERS; i++) {
                runsNothingTwice(group);
            }
        }
    }

    @Test
    void clusterLosesNothingThatItsReplicasHaveConfirmed() {
        try (RedisCluster cluster = RedisCluster.start(Duration.ofSeconds(2))) {
            for (int i = 0; i < FAILOVERS; i++) {
                losesNothing(cluster);
            }
        }
    }

    @Test
    void clusterRunsNothingTwiceWithoutConfirmation() {
        try (RedisCluster cluster = RedisCluster.start(Duration.ofSeconds(2))) {
            for (int i = 0; i < FAILOVERS; i++) {
                runsNothingTwice(cluster);
            }
        }
    }

    private static void losesNothing(ReplicatedRedis group) {
        String prefix = SharedRedis.newPrefix();
        try (Caller node = open(group.url(), prefix, group.replicas())) {
            Load load = failOver(node, group);

            assertThat(load.refusals()).as("claims refused for a loss").isEmpty();
            assertThat(lost(node, load.effects())).as("lost keys").isZero();
            assertThat(again(node, load.effects())).as("operations run twice").isZero();
            try (Caller newcomer = open(group.url(), prefix, group.replicas())) {
                assertThat(again(newcomer, load.effects())).as("lost keys").isZero();
            }
            log.info("confirmed: {} keys, none lost", load.effects().size());
        }
    }

    private static void runsNothingTwice(ReplicatedRedis group) {
        String prefix = SharedRedis.newPrefix();
        try (Caller node = open(group.url(), prefix, 0)) {
            Load load = failOver(node, group);

            assertThat(again(node, load.effects())).as("operations run twice").isZero();
            log.info(
                    "unconfirmed: {} keys, {} of them lost, {} claims refused",
                    load.effects().size(),
                    lost(node, load.effects()),
                    load.refusals().size());
        }
    }

    private static long lost(Caller node, Map<Key, AtomicInteger> effects) {
        return effects.keySet().stream()
                .filter(key -> Caller.answer(node.store().find(key.digest())).isEmpty())
                .count();
    }

    private static Load failOver(Caller node, ReplicatedRedis group) {
        RedisProcess master = group.someMaster();
        Load load = new Load(node);
        try (load) {
            await().atMost(PATIENCE).until(() -> load.finished() > 300);
            master.kill();
            untilTrue(group::hasMasters);
            // Whoever is still on the way to the old master would find it there again, with old data.
            untilTrue(node::isConnected);
            // A master that took over needs a replica again before it can confirm anything.
            master.restart();
            untilTrue(group::isHealthy);
            int before = attempts(load);
            await().atMost(PATIENCE).until(() -> attempts(load) > before + 200);
        }
        assertThat(load.effects().values()).extracting(AtomicInteger::get).containsOnly(1);
        return load;
    }

    private static int attempts(Load load) {
        return load.finished() + load.refusals().size();
    }

    /** Servers that change their role cut their connections. */
    private static void untilTrue(Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(RedisException.class)
                .until(condition);
    }

    /** Claims every key again; how many would run a second time. */
    private static long again(Caller node, Map<Key, AtomicInteger> effects) {
        return List.copyOf(effects.keySet()).stream()
                .filter(key -> {
                    try {
                        return node.claim(key) instanceof Claim.Acquired;
                    } catch (MemoryLostException e) {
                        return false;
                    }
                })
                .count();
    }

    private static Caller open(String url, String prefix, int replicas) {
        return new Caller(RedisKeyStore.builder(url)
                .prefix(prefix)
                .createIfMissing()
                .replicas(replicas)
                .timeout(Duration.ofSeconds(2))
                .build());
    }
}
