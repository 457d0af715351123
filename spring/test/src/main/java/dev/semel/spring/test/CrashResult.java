package dev.semel.spring.test;

import java.util.Map;
import java.util.TreeMap;

/** A crash at one point, and what the client and the world have of it. */
public final class CrashResult {

    private final String point;
    private final boolean crashed;
    private final Told told;
    private final Map<String, Long> effects;

    /** The client's last answer, after how many retries, and whether another retry gets the same. */
    record Told(RetryAnswer answer, String status, int retries, boolean stable) {}

    CrashResult(String point, boolean crashed, Told told, Map<String, Long> effects) {
        this.point = point;
        this.crashed = crashed;
        this.told = told;
        this.effects = new TreeMap<>(effects);
    }

    CrashResult withEffects(Map<String, Long> counts) {
        return new CrashResult(point, crashed, told, counts);
    }

    /** Where the process died, such as {@code after Orders.place}. */
    public String point() {
        return point;
    }

    /** Whether the process died: not every request needs to pass all points of the first one. */
    public boolean crashed() {
        return crashed;
    }

    /** What the last retry said. */
    public RetryAnswer answer() {
        return told.answer();
    }

    /** How often each effect happened. */
    public Map<String, Long> effects() {
        return Map.copyOf(effects);
    }

    public CrashVerdict verdict() {
        return CrashVerdict.of(told.answer(), told.stable(), effects.values());
    }

    @Override
    public String toString() {
        return "%-50s %-10s %s after %d retries, %s%s"
                .formatted(point, verdict(), told.status(), told.retries(), effects, crashed ? "" : " (not reached)");
    }
}
