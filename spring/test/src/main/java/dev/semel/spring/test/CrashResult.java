package dev.semel.spring.test;

import java.util.Map;
import java.util.TreeMap;

/** The result of a crash at one point: the client's answer, and the effects. */
public final class CrashResult {

    private final String point;
    private final boolean crashed;
    private final LastAnswer last;
    private final Map<String, Long> effects;

    /** The client's last answer, after how many retries, and whether another retry gets the same. */
    record LastAnswer(RetryAnswer answer, String status, int retries, boolean stable) {}

    CrashResult(String point, boolean crashed, LastAnswer last, Map<String, Long> effects) {
        this.point = point;
        this.crashed = crashed;
        this.last = last;
        this.effects = new TreeMap<>(effects);
    }

    CrashResult withEffects(Map<String, Long> counts) {
        return new CrashResult(point, crashed, last, counts);
    }

    /** The point at which the process died, such as {@code after Orders.place}. */
    public String point() {
        return point;
    }

    /** Whether the process died: not every request needs to pass all points of the first one. */
    public boolean crashed() {
        return crashed;
    }

    /** The answer to the last retry. */
    public RetryAnswer answer() {
        return last.answer();
    }

    /** How often each effect happened. */
    public Map<String, Long> effects() {
        return Map.copyOf(effects);
    }

    public CrashVerdict verdict() {
        return CrashVerdict.of(last.answer(), last.stable(), effects.values());
    }

    @Override
    public String toString() {
        return "%-50s %-10s %s after %d retries, %s%s"
                .formatted(point, verdict(), last.status(), last.retries(), effects, crashed ? "" : " (not reached)");
    }
}
