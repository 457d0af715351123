package dev.semel.torture.load;

import dev.semel.torture.fault.FaultLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How long it took from the death of an owner until a client learned how its operation stands. */
public final class RecoveryTimes {

    private record Recovery(Story story, long from, long until) {

        double seconds() {
            return (until - from) / 1e9;
        }
    }

    private final FaultLog faults;
    private final List<Recovery> recoveries = new ArrayList<>();

    public RecoveryTimes(FaultLog faults) {
        this.faults = faults;
    }

    public synchronized void add(Story story, long from, long until) {
        recoveries.add(new Recovery(story, from, until));
    }

    /** All of them, in seconds, the shortest first. */
    public synchronized List<Double> all() {
        return recoveries.stream().map(Recovery::seconds).sorted().toList();
    }

    /** Those during which nothing else was broken that delays a recovery. */
    public synchronized List<Double> undisturbed() {
        return recoveries.stream()
                .filter(recovery -> !faults.disturbed(recovery.from, recovery.until))
                .map(Recovery::seconds)
                .sorted()
                .toList();
    }

    /** The slowest of those, for people. */
    public synchronized String slowest() {
        return recoveries.stream()
                .filter(recovery -> !faults.disturbed(recovery.from, recovery.until))
                .sorted(Comparator.comparingDouble(Recovery::seconds).reversed())
                .limit(3)
                .map(recovery -> String.format(Locale.ROOT, "%.1f s %s", recovery.seconds(), recovery.story))
                .collect(Collectors.joining(", "));
    }

    /** The value that a part of the sorted values does not exceed; 0 if there is none. */
    public static double quantile(List<Double> sorted, double part) {
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * part)));
    }
}
