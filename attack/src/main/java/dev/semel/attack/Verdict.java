package dev.semel.attack;

import java.util.Map;

/**
 * How an attack ended.
 *
 * @param held whether the gateway withstood it
 * @param seen what was seen, in a few words
 * @param numbers what was measured, by name
 */
record Verdict(boolean held, String seen, Map<String, Double> numbers) {

    static Verdict held(String seen) {
        return new Verdict(true, seen, Map.of());
    }

    static Verdict failed(String seen) {
        return new Verdict(false, seen, Map.of());
    }

    /** The part of its throughput that a well-behaved caller kept; 0 if that was not measured. */
    double ratio() {
        return numbers.getOrDefault("ratio", 0.0);
    }
}
