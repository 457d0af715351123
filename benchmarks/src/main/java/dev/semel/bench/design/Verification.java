package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Checks that what was measured was also right. */
public final class Verification {

    private Verification() {}

    public static void requireEqual(String design, long expected, long found) {
        if (expected != found) {
            throw new IllegalStateException(design + " is wrong: " + expected + " keys were settled, and " + found
                    + " are stored with their outcome");
        }
    }

    /** Several callers ask for each of some keys at once; exactly one of them must get it. */
    public static void requireOneWinner(ContendedDesign design, int callers, int keys) throws Exception {
        List<String> names = Stream.generate(Payload::newKey).limit(keys).toList();
        AtomicInteger[] winners =
                Stream.generate(AtomicInteger::new).limit(keys).toArray(AtomicInteger[]::new);
        ExecutorService executor = Executors.newFixedThreadPool(callers);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                futures.add(executor.submit(() -> {
                    for (int i = 0; i < keys; i++) {
                        if (design.claim(names.get(i))) {
                            winners[i].incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
        }
        for (int i = 0; i < keys; i++) {
            if (winners[i].get() != 1) {
                throw new IllegalStateException(
                        design.name() + " is wrong: key " + names.get(i) + " had " + winners[i] + " winners");
            }
        }
    }
}
