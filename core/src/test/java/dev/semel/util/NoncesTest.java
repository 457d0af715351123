package dev.semel.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.util.Nonces.Seed;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoncesTest {

    @Test
    void areNeverTheSameOnManyThreads() throws InterruptedException {
        Set<UUID> drawn = ConcurrentHashMap.newKeySet();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    for (int n = 0; n < 20_000; n++) {
                        drawn.add(Nonces.next());
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(drawn).hasSize(8 * 20_000);
    }

    @Test
    void areNeverTheSameAtOneMoment() {
        Seed seed = Seed.make(0);
        Set<UUID> drawn = new HashSet<>();
        for (int n = 0; n < 1_000; n++) {
            drawn.add(seed.next(17));
        }

        assertThat(drawn).hasSize(1_000);
    }

    @Test
    void differInTwoCopiesOfAMachineThatGoOnWithTheSameMemory() {
        Seed one = Seed.make(0);
        Seed copy = new Seed(one.high(), one.low(), one.madeAt(), new AtomicLong());

        assertThat(one.next(1_000)).isNotEqualTo(copy.next(1_001));
    }

    @Test
    void aSeedIsUsedForAMomentOnly() {
        Seed seed = Seed.make(0);

        assertThat(seed.isOld(Duration.ofMillis(49).toNanos())).isFalse();
        assertThat(seed.isOld(Duration.ofMillis(50).toNanos())).isTrue();
        assertThat(Seed.make(0).high()).isNotEqualTo(seed.high());
    }
}
