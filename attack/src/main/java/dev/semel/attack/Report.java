package dev.semel.attack;

import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One line for each attack, and the numbers. */
final class Report {

    private static final int WIDTH = 160;

    private final PrintWriter out;
    private final int planned;
    private final boolean onTerminal;
    private final long startedAt = System.nanoTime();
    private final Map<Group, int[]> groups = new EnumMap<>(Group.class);
    private final Map<String, Double> measured = new LinkedHashMap<>();
    private int begun;
    private int skipped;

    Report(PrintWriter out, int planned, boolean onTerminal) {
        this.out = out;
        this.planned = planned;
        this.onTerminal = onTerminal;
    }

    static String listed(Attack attack) {
        return "%-10s  %-26s  %s".formatted(attack.group(), attack.name(), printable(attack.about()));
    }

    /** Shows on a terminal what is going on, in a line that the next one replaces. */
    void running(Attack attack) {
        begun++;
        if (onTerminal) {
            out.print(
                    "\r\033[K%d/%d, %.0f s: %s %s".formatted(begun, planned, seconds(), attack.group(), attack.name()));
            out.flush();
        }
    }

    void ended(Attack attack, Verdict verdict) {
        int[] counts = groups.computeIfAbsent(attack.group(), first -> new int[2]);
        counts[0]++;
        counts[1] += verdict.held() ? 0 : 1;
        verdict.numbers()
                .forEach((name, value) ->
                        measured.put("attack." + attack.group() + "." + attack.name() + "." + name, value));
        line(verdict.held() ? "ok" : "FAILED", attack, verdict.seen());
    }

    void skipped(Attack attack) {
        skipped++;
        line("skipped", attack, "it needs a gateway with other settings, or its admin address");
    }

    private void line(String word, Attack attack, String seen) {
        String line = "%-7s %-10s  %-26s  %s".formatted(word, attack.group(), attack.name(), printable(seen));
        out.println(
                (onTerminal ? "\r\033[K" : "") + (line.length() > WIDTH ? line.substring(0, WIDTH - 3) + "..." : line));
        out.flush();
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private double seconds() {
        return (System.nanoTime() - startedAt) / 1e9;
    }

    int succeeded() {
        return groups.values().stream().mapToInt(counts -> counts[1]).sum();
    }

    private int attacks() {
        return groups.values().stream().mapToInt(counts -> counts[0]).sum();
    }

    void summarize() {
        out.println();
        groups.forEach((group, counts) ->
                out.println("%-10s  %3d attacks, %d succeeded".formatted(group, counts[0], counts[1])));
        out.println("%d attacks in %.0f s, %s%s"
                .formatted(
                        attacks(),
                        seconds(),
                        succeeded() == 0 ? "all withstood" : succeeded() + " SUCCEEDED",
                        skipped == 0 ? "" : ", " + skipped + " skipped"));
        out.flush();
    }

    /** One flat object of numbers. */
    String json() {
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("attack.attacks", (double) attacks());
        all.put("attack.succeeded", (double) succeeded());
        all.put("attack.skipped", (double) skipped);
        all.put("attack.seconds", seconds());
        groups.forEach((group, counts) -> {
            all.put("attack." + group + ".attacks", (double) counts[0]);
            all.put("attack." + group + ".succeeded", (double) counts[1]);
        });
        all.putAll(measured);
        return all.entrySet().stream()
                .map(each -> "  \"%s\": %s".formatted(each.getKey(), number(each.getValue())))
                .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3f", value);
    }
}
