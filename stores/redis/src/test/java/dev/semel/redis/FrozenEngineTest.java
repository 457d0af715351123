package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.testservers.RedisProcess;
import io.lettuce.core.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The engine on a Redis that stands still for longer than its callers wait. */
class FrozenEngineTest {

    private static final ExternalPolicy POLICY =
            Policy.external("charge").lease(Duration.ofSeconds(30)).build();

    /** Two seconds, and some for a busy machine; far less than a lease. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final int PER_SECOND = 1000;

    private final List<CompletableFuture<Execution<String>>> calls = new ArrayList<>();
    private final AtomicInteger effects = new AtomicInteger();

    @Test
    void noKeyIsWithoutAnOwnerSoonAfterRedisIsBack() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                RedisKeyStore store =
                        RedisKeyStore.builder(server.url()).createIfMissing().build();
                Semel semel = Semel.builder(store).build()) {
            callFor(semel, Duration.ofSeconds(1));
            server.freeze();
            callFor(semel, Duration.ofSeconds(8));
            server.thaw();

            await().atMost(SOON).until(() -> withoutOutcome(server) == 0);
            await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            long told = calls.stream()
                    .filter(call -> !call.isCompletedExceptionally())
                    .count();
            assertThat(effects).hasValue((int) told);
            assertThat(keys(server, Range.from(Range.Boundary.including(0), Range.Boundary.unbounded())))
                    .isEqualTo(told);
            assertThat(told).isLessThan(calls.size());
            assertThat(store.waiting()).isZero();
        }
    }

    /** How many keys Redis has that are not settled: they are in the indexes of their buckets with a score of 0. */
    private static long withoutOutcome(RedisProcess server) {
        return keys(server, Range.create(0, 0));
    }

    private static long keys(RedisProcess server, Range<Integer> scores) {
        return server.ask(redis -> IntStream.range(0, Names.BUCKETS)
                .mapToLong(bucket -> redis.zcount(index(bucket), scores))
                .sum());
    }

    private static String index(int bucket) {
        return Caller.marker(bucket).replace("marker-4", "index");
    }

    /** An open load: callers come at their own pace, whatever becomes of those before them. */
    private void callFor(Semel semel, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < time.toNanos(); i++) {
            calls.add(semel.operation(POLICY, OutcomeCodec.text())
                    .runAsync(
                            Key.of("tenant", "key-" + calls.size()),
                            Fingerprint.of("body"),
                            attempt -> CompletableFuture.completedStage("receipt " + effects.incrementAndGet()))
                    .toCompletableFuture());
            long early = start + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND - System.nanoTime();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
        }
    }
}
