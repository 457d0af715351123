package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        Map<String, Integer> winners = new ConcurrentHashMap<>();
        Callable<Void> caller = () -> {
            for (String name : names) {
                if (design.claim(name)) {
                    winners.merge(name, 1, Integer::sum);
                }
            }
            return null;
        };
        ExecutorService executor = Executors.newFixedThreadPool(callers);
        try {
            for (Future<Void> future : executor.invokeAll(Collections.nCopies(callers, caller))) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
        }
        for (String name : names) {
            if (winners.getOrDefault(name, 0) != 1) {
                throw new IllegalStateException(
                        design.name() + " is wrong: key " + name + " had " + winners.get(name) + " winners");
            }
        }
    }
}
