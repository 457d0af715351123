package dev.semel.spring.test.child;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the points that the application reaches during a request, and ends the process at one of them. */
public final class PointSwitch {

    /** The exit status of a process that {@code kill -9} has ended. */
    public static final int KILLED = 137;

    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> reached = new ArrayList<>();
    private boolean on;
    private @Nullable String deadly;

    PointSwitch() {}

    /** Starts counting points; the process ends at the chosen one, if there is one. */
    synchronized void start(@Nullable String deadlyPoint) {
        counts.clear();
        reached.clear();
        deadly = deadlyPoint;
        on = true;
    }

    /** Points no longer count; returns those that were reached. */
    synchronized List<String> stop() {
        on = false;
        return List.copyOf(reached);
    }

    /** A point that is reached again has another name: the second is {@code name (2)}. */
    synchronized void reach(String name) {
        if (!on) {
            return;
        }
        int times = counts.merge(name, 1, Integer::sum);
        String point = times == 1 ? name : name + " (" + times + ")";
        reached.add(point);
        if (point.equals(deadly)) {
            // Nothing is flushed, rolled back or told to anybody, as with kill -9.
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
