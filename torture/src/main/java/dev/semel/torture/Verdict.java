package dev.semel.torture;

import dev.semel.spi.KeyState;
import dev.semel.testkit.history.Guarantee;
import dev.semel.torture.fault.FaultLog;
import dev.semel.torture.load.RecoveryTimes;
import dev.semel.torture.load.Sender;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceReply;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a run has shown, for people and for programs. */
record Verdict(
        TorturePlan plan,
        Findings findings,
        FaultLog faults,
        Sender sender,
        Ledger ledger,
        RecoveryTimes recoveries,
        Map<KeyState, Long> states) {

    /** Every number by its name. */
    Map<String, Number> numbers() {
        Map<String, Number> numbers = new LinkedHashMap<>();
        numbers.put("torture.seed", plan.seed());
        numbers.put("torture.requests", sender.requests());
        numbers.put("torture.distinctKeys", findings.keys());
        numbers.put("torture.effects", findings.effects());
        numbers.put("torture.announcedSecondRuns", findings.announcedRuns());
        numbers.put("torture.zombieWritesRefused", ledger.fencedWrites());
        numbers.put("torture.zombieEffectsRefused", ledger.fencedEffects());
        numbers.put("torture.answersOfDeposedPrimary", sender.stale());
        for (FaultKind kind : FaultKind.values()) {
            numbers.put("torture.faults." + kind, faults.count(kind));
        }
        numbers.put("torture.doubleEffects", findings.doubleEffects());
        numbers.put("torture.lostOutcomes", findings.lostOutcomes());
        numbers.put("torture.divergentReplays", findings.divergentReplays());
        numbers.put("torture.leaks", findings.leaks());
        numbers.put("torture.leftovers", findings.leftovers().size());
        List<Double> undisturbed = recoveries.undisturbed();
        numbers.put("torture.recovery.count", undisturbed.size());
        numbers.put("torture.recovery.p50.seconds", rounded(RecoveryTimes.quantile(undisturbed, 0.5)));
        numbers.put("torture.recovery.p99.seconds", rounded(RecoveryTimes.quantile(undisturbed, 0.99)));
        numbers.put("torture.recovery.disturbed.p99.seconds", rounded(RecoveryTimes.quantile(recoveries.all(), 0.99)));
        return numbers;
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    String json() {
        return numbers().entrySet().stream()
                .map(entry -> "  \"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    }

    void print(PrintStream out) {
        out.println();
        for (Guarantee guarantee : Guarantee.values()) {
            long broken = findings.violations(guarantee);
            out.printf(Locale.ROOT, "%-6s %s %s%n", word(guarantee, broken), guarantee, guarantee.meaning());
            if (broken > 0) {
                out.printf(Locale.ROOT, "       %d violation(s)%n", broken);
            }
        }
        out.println();
        out.println("Replies: " + replies());
        out.println("Keys in the end: " + states);
        out.println("Faults:");
        faults.details().forEach((detail, count) -> out.printf(Locale.ROOT, "  %6d  %s%n", count, detail));
        out.println();
        numbers().forEach((name, value) -> out.printf(Locale.ROOT, "%-42s %s%n", name, value));
        out.println("Slowest recoveries without another fault: " + recoveries.slowest());
        findings.leftovers().stream().limit(5).forEach(left -> out.println("left over: " + left));
        findings.shortestStory().ifPresent(story -> out.printf("%nThe shortest story:%n%s%n", story));
        out.println();
        out.println(findings.isClean() ? "No guarantee was broken." : "BROKEN. Repeat it with --seed " + plan.seed());
    }

    /** How much one key costs another is measured elsewhere: no fault here holds a single row. */
    private static String word(Guarantee guarantee, long broken) {
        if (broken > 0) {
            return "BROKEN";
        }
        return guarantee == Guarantee.G10 ? "-" : "holds";
    }

    private String replies() {
        return java.util.Arrays.stream(ServiceReply.Kind.values())
                .filter(kind -> sender.replies(kind) > 0)
                .map(kind -> kind + " " + sender.replies(kind))
                .collect(Collectors.joining(", "));
    }
}
