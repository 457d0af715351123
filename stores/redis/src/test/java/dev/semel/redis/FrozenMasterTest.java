package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.testservers.RedisCluster;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A Cluster of which one master stands still, and nobody takes its place. */
class FrozenMasterTest {

    private static final Duration NO_FAILOVER = Duration.ofMinutes(5);

    private final List<CompletableFuture<Claim>> frozen = new ArrayList<>();
    private final List<CompletableFuture<Claim>> others = new ArrayList<>();

    @Test
    void delaysOnlyItsOwnCallers() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(NO_FAILOVER);
                RedisKeyStore store = RedisKeyStore.builder(cluster.url())
                        .createIfMissing()
                        .timeout(Duration.ofSeconds(3))
                        .queueLimit(1600)
                        .build()) {
            RedisProcess master = cluster.servers().get(0);
            claim(store, 1000);
            master.freeze();
            claim(store, 4000);
            await().atMost(Duration.ofSeconds(10)).until(() -> others.stream().allMatch(CompletableFuture::isDone));
            master.thaw();

            assertThat(others).noneMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(frozen).anyMatch(CompletableFuture::isCompletedExceptionally);
            await().until(() -> frozen.stream().allMatch(CompletableFuture::isDone));
            await().ignoreExceptions()
                    .until(() ->
                            Caller.answer(store.claim(Caller.request(Caller.keyIn(0, 7)))) instanceof Claim.Acquired);
            assertThat(store.waiting()).isZero();
        }
    }

    private void claim(RedisKeyStore store, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            Key key = Key.of("tenant", "key-" + (frozen.size() + others.size()));
            CompletableFuture<Claim> claim = store.claim(Caller.request(key)).toCompletableFuture();
            boolean ofFirstMaster = Names.slotOf(Names.bucketOf(key.digest())) < SlotHash.SLOT_COUNT / 3;
            (ofFirstMaster ? frozen : others).add(claim);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
