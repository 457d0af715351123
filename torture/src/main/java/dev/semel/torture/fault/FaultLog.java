package dev.semel.torture.fault;

import dev.semel.torture.plan.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which faults were injected, and when. */
public final class FaultLog {

    /**
     * A fault that is over.
     *
     * @param id names its place in the schedule, which a seed repeats
     * @param detail which variant of its kind it was
     * @param atSeconds when it began, since the first one could
     */
    public record Injected(String id, FaultKind kind, String detail, double atSeconds) {}

    private record Entry(boolean disturbs, long from, long until) {}

    private final long startedAt = System.nanoTime();
    private final List<Entry> entries = new ArrayList<>();
    private final List<Injected> injected = new ArrayList<>();
    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private final Map<String, Long> details = new TreeMap<>();

    /** Notes a fault that is over. The detail says which variant of its kind it was. */
    synchronized void add(String id, FaultKind kind, String detail, long from, long until) {
        injected.add(new Injected(id, kind, detail, (from - startedAt) / 1e9));
        boolean disturbs = kind != FaultKind.KILL && (kind.disturbs || detail.endsWith("silently"));
        entries.add(new Entry(disturbs, from, until));
        counts.merge(kind, 1L, Long::sum);
        details.merge(kind + " " + detail, 1L, Long::sum);
    }

    /** All of them, in the order in which they ended. */
    public synchronized List<Injected> injected() {
        return List.copyOf(injected);
    }

    public synchronized long count(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    public synchronized long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
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
                text.append(text.isEmpty() ? "" : ", ").append(kind).append(' ').append(count));
        return text.isEmpty() ? "no faults" : text.toString();
    }
}
