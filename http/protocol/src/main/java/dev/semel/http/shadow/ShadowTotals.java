package dev.semel.http.shadow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts by caller, operation and finding, in a bounded number of rows. */
final class ShadowTotals {

    /** The counters besides findings: requests that were recorded, and requests that were not. */
    static final String REQUESTS = "REQUESTS";

    static final String DROPPED = "DROPPED";

    private static final int MOST_ROWS = 10_000;

    private final Map<Row, Count> counts = new LinkedHashMap<>();

    /** The counter and its caller. */
    record Row(String scope, String operation, String what) {}

    /** How often, and when first and last; times are in milliseconds. */
    record Count(long times, long first, long last) {

        Count and(Count other) {
            return new Count(times + other.times, Math.min(first, other.first), Math.max(last, other.last));
        }
    }

    void add(String scope, String operation, ShadowFinding finding, long now) {
        add(new Row(scope, operation, finding.name()), new Count(1, now, now));
    }

    /** Counts for an operation, over all its callers. */
    void add(String operation, String what, long now) {
        add(new Row(ShadowKeys.OWN_SCOPE, operation, what), new Count(1, now, now));
    }

    /** A new row that does not fit any more is counted as dropped. */
    synchronized void add(Row row, Count count) {
        Row kept = counts.size() < MOST_ROWS || counts.containsKey(row)
                ? row
                : new Row(ShadowKeys.OWN_SCOPE, row.operation(), DROPPED);
        counts.merge(kept, count, Count::and);
    }

    /** Takes out the counts of up to so many callers, those that have waited longest first. */
    synchronized Map<String, Map<Row, Count>> take(int callers) {
        Map<String, Map<Row, Count>> taken = new LinkedHashMap<>();
        List<Row> gone = new ArrayList<>();
        counts.forEach((row, count) -> {
            if (taken.containsKey(row.scope()) || taken.size() < callers) {
                taken.computeIfAbsent(row.scope(), scope -> new LinkedHashMap<>())
                        .put(row, count);
                gone.add(row);
            }
        });
        gone.forEach(counts::remove);
        return taken;
    }
}
