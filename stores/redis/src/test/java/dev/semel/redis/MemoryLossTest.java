package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import dev.semel.testkit.race.RaceTester;
import dev.semel.testservers.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis forgets what it has acknowledged: the store notices, and refuses claims. */
class MemoryLossTest {

    private static final Key KEY = Key.of("tenant", "order-1");

    private final RedisProcess redis = RedisProcess.start();
    private final List<Caller> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Caller::close);
        redis.close();
    }

    @Test
    void aFlushUnderLoadRunsNothingTwice() {
        int keys = 400;
        AtomicIntegerArray effects = new AtomicIntegerArray(keys);
        AtomicInteger finished = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Caller> nodes = List.of(node(true), node(true));

        RaceTester.race(9, racer -> {
            if (racer == 8) {
                await().until(() -> finished.get() > 100);
                return redis.ask(server -> server.flushall());
            }
            // Each key is tried several times, by several racers and on both nodes.
            for (int i = 0; i < 2 * keys; i++) {
                int k = (i + racer * 50) % keys;
                try {
                    Caller node = nodes.get((racer + i) % 2);
                    if (node.claim(Key.of("tenant", "key-" + k)) instanceof Claim.Acquired acquired) {
                        effects.incrementAndGet(k);
                        node.settle(acquired.lease());
                        finished.incrementAndGet();
                    }
                } catch (MemoryLostException e) {
                    refused.incrementAndGet();
                }
            }
            return "done";
        });

        for (int k = 0; k < keys; k++) {
            assertThat(effects.get(k)).as("effects of key %d", k).isLessThanOrEqualTo(1);
        }
        assertThat(refused.get()).isPositive();
        assertThatThrownBy(() -> nodes.get(0).claim(KEY)).isInstanceOf(MemoryLostException.class);
    }

    @Test
    void theMessageSaysWhatHappenedAndNamesTheRemedy() {
        Caller node = node(true);
        redis.ask(server -> server.flushall());

        assertThatThrownBy(() -> node.claim(KEY))
                .isInstanceOf(MemoryLostException.class)
                .hasMessageContaining("Redis was flushed")
                .hasMessageContaining("semel keys acknowledge-loss");
    }

    @Test
    void anAcknowledgedLossOpensTheStoreOnEveryNode() {
        Caller first = node(true);
        Caller second = node(true);
        Lease lost = first.acquire(KEY);
        redis.ask(server -> server.flushall());
        assertThatThrownBy(() -> second.claim(KEY)).isInstanceOf(MemoryLostException.class);

        assertThat(Caller.answer(first.store().acknowledgeLoss())).isEqualTo(Names.BUCKETS);

        Lease next = second.acquire(KEY);
        assertThat(next.token()).isGreaterThan(lost.token());
        assertThat(first.settle(lost)).isFalse();
        assertThat(first.claim(KEY)).isInstanceOf(Claim.InFlight.class);
        assertThat(second.settle(next)).isTrue();
    }

    @Test
    void aLossAfterAnAcknowledgedOneIsNoticedAgain() {
        Caller node = node(true);
        redis.ask(server -> server.flushall());
        Caller.answer(node.store().acknowledgeLoss());
        node.acquire(KEY);

        redis.ask(server -> server.flushall());

        assertThatThrownBy(() -> node.claim(KEY)).isInstanceOf(MemoryLostException.class);
    }

    /** Two nodes are up; a third that sets up what it finds empty must not make them forget that it was not. */
    @Test
    void anEmptiedStoreThatWasSetUpAgainIsNotTakenForTheOldOne() {
        Caller node = node(true);
        redis.ask(server -> server.flushall());
        Caller newcomer = node(true);
        newcomer.acquire(KEY);

        assertThatThrownBy(() -> node.claim(KEY))
                .isInstanceOf(MemoryLostException.class)
                .hasMessageContaining("set up again");
    }

    @Test
    void aStoreIsNotSetUpUnlessThatIsAskedFor() {
        Caller early = node(false);
        assertThatThrownBy(() -> early.claim(KEY))
                .isInstanceOf(MemoryLostException.class)
                .hasMessageContaining("createIfMissing()");

        node(true);

        early.acquire(KEY);
    }

    @Test
    void onlyTheKeysOfALostBucketAreRefused() {
        Caller node = node(true);
        redis.ask(server -> server.del(Caller.marker(7)));

        assertThatThrownBy(() -> node.claim(Caller.keyIn(7, 0)))
                .isInstanceOf(MemoryLostException.class)
                .hasMessageContaining("bucket 7");
        node.acquire(Caller.keyIn(8, 0));
        assertThat(Caller.answer(node.store().acknowledgeLoss())).isEqualTo(1);
        node.acquire(Caller.keyIn(7, 0));
    }

    @Test
    void aStoreThatHasLostPartOfItsMarkersIsNotSetUpByANewcomer() {
        node(true);
        redis.ask(server -> server.del(Caller.marker(0)));

        Caller newcomer = node(true);

        assertThatThrownBy(() -> newcomer.claim(Caller.keyIn(0, 0))).isInstanceOf(MemoryLostException.class);
        newcomer.acquire(Caller.keyIn(1, 0));
    }

    @Test
    void aSetUpThatBrokeOffIsGoneOnWith() {
        node(true);
        redis.ask(server -> server.setrange(Caller.marker(0), 33, "0"));
        redis.ask(server -> server.del(Caller.marker(12)));

        node(true).acquire(Caller.keyIn(12, 0));
    }

    /** Records had other names and forms once: a release that did not see them would run everything again. */
    @ParameterizedTest
    @ValueSource(strings = {"semel:{10}:marker-3", "semel:{10}:marker-2", "semel:{10}:marker", "semel:{10}:bucket"})
    void aStoreOfAFormerFormIsRefused(String formerMarker) {
        redis.ask(server -> server.set(formerMarker, "whatever it was"));

        assertThatThrownBy(() -> node(true))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("a prefix of its own");
    }

    @Test
    void whatIsOnDiskSurvivesACrash() {
        Caller node = node(true);
        Lease settled = node.acquire(KEY);
        node.settle(settled);
        Key pending = Key.of("tenant", "order-2");
        node.acquire(pending);

        redis.kill();
        redis.restart();

        await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> node.claim(KEY) instanceof Claim.Settled);
        assertThat(node.claim(pending)).isInstanceOf(Claim.InFlight.class);
    }

    private Caller node(boolean createIfMissing) {
        Caller node = new Caller(RedisKeyStore.builder(redis.url())
                .createIfMissing(createIfMissing)
                .build());
        open.add(node);
        return node;
    }
}
