package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The engine on a Redis that stands still for longer than its callers wait. */
class FrozenEngineTest {

    private static final Policy POLICY =
            Policy.external("charge").lease(Duration.ofSeconds(10)).build();
    private static final int PER_SECOND = 1000;

    private final List<CompletableFuture<Execution<String>>> calls = new ArrayList<>();
    private final AtomicInteger effects = new AtomicInteger();

    @Test
    void noKeyIsWithoutAnOwnerTwoSecondsAfterRedisIsBack() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                RedisKeyStore store =
                        RedisKeyStore.builder(server.url()).setUpIfEmpty(true).build();
                Semel semel = Semel.builder(store).build()) {
            callFor(semel, Duration.ofSeconds(1));
            server.freeze();
            callFor(semel, Duration.ofSeconds(8));
            server.thaw();

            await().atMost(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(withoutOutcome(store)).isEmpty());
            await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            long told = calls.stream()
                    .filter(call -> !call.isCompletedExceptionally())
                    .count();
            assertThat(effects).hasValue((int) told);
            assertThat(told).isLessThan(calls.size());
            assertThat(store.waiting()).isZero();
        }
    }

    private static List<KeyRecord> withoutOutcome(RedisKeyStore store) {
        List<KeyRecord> found = new ArrayList<>();
        for (KeyState state : List.of(KeyState.PENDING, KeyState.LAPSED, KeyState.UNKNOWN)) {
            KeyQuery query = KeyQuery.inState(state, KeyQuery.MAX_LIMIT);
            KeyPage page = Caller.answer(store.page(query));
            found.addAll(page.records());
            while (page.next() != null) {
                page = Caller.answer(store.page(query.after(page.next())));
                found.addAll(page.records());
            }
        }
        return found;
    }

    /** An open load: callers come at their own pace, whatever becomes of those before them. */
    private void callFor(Semel semel, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < time.toNanos(); i++) {
            calls.add(semel.executeAsync(
                            Call.of(
                                    Key.of("tenant", "key-" + calls.size()),
                                    Fingerprint.of("body"),
                                    POLICY,
                                    OutcomeCodec.text()),
                            attempt -> CompletableFuture.completedStage("receipt " + effects.incrementAndGet()))
                    .toCompletableFuture());
            long early = start + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND - System.nanoTime();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
        }
    }
}
