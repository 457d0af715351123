package dev.semel.torture.fault;

import dev.semel.torture.plan.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which faults were injected, and when. */
public final class FaultLog {

    private record Entry(boolean disturbs, long from, long until) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private final Map<String, Long> details = new TreeMap<>();

    /** Notes a fault that is over. The detail says which variant of its kind it was. */
    synchronized void add(FaultKind kind, String detail, long from, long until) {
        boolean disturbs = kind != FaultKind.KILL && (kind.disturbs || detail.endsWith("silently"));
        entries.add(new Entry(disturbs, from, until));
        counts.merge(kind, 1L, Long::sum);
        details.merge(kind + " " + detail, 1L, Long::sum);
    }

    public synchronized long count(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** How often each variant of each kind was injected. */
    public synchronized Map<String, Long> details() {
        return new TreeMap<>(details);
    }

    /** Whether something other than a kill was broken at some time between the two moments. */
    public synchronized boolean disturbed(long from, long until) {
        return entries.stream().anyMatch(entry -> entry.disturbs && entry.from < until && entry.until > from);
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach((kind, count) ->
                text.append(text.isEmpty() ? "" : " ").append(kind).append(' ').append(count));
        return text.isEmpty() ? "no faults" : text.toString();
    }
}
