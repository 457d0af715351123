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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a run has shown, for people and for programs. */
record Verdict(
        TorturePlan plan,
        Duration took,
        Findings findings,
        FaultLog faults,
        Sender sender,
        Ledger ledger,
        RecoveryTimes recoveries,
        Map<KeyState, Long> states) {

    /** How much one key costs another is measured elsewhere. */
    private static final Guarantee NOT_JUDGED = Guarantee.G10;

    /** Besides the shortest one. */
    private static final int MORE_STORIES = 9;

    /** Every number by its name. */
    Map<String, Number> numbers() {
        Map<String, Number> numbers = new LinkedHashMap<>();
        numbers.put("torture.seconds", plan.duration().toSeconds());
        numbers.put("torture.seed", plan.seed());
        numbers.put("torture.requests", sender.requests());
        numbers.put("torture.distinctKeys", findings.keys());
        numbers.put("torture.effects", findings.effects());
        numbers.put("torture.announcedSecondRuns", findings.announcedRuns());
        numbers.put("torture.zombieWritesRefused", ledger.fencedWrites());
        numbers.put("torture.zombieEffectsRefused", ledger.fencedEffects());
        numbers.put("torture.answersOfDeposedPrimary", sender.stale());
        for (FaultKind kind : FaultKind.values()) {
            if (plan.faults().contains(kind)) {
                numbers.put("torture.faults." + kind, faults.count(kind));
            }
        }
        numbers.put("torture.violations", findings.stories().size());
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

    /** One screen: what was done, which guarantees held, how long recovery took, and what broke. */
    void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%n%s on %s through the %s: %d s, %d nodes, seed %d%n%,d requests for %,d keys, %,d faults (%s)%n%n",
                plan.system(),
                plan.store(),
                plan.door().title(),
                plan.duration().toSeconds(),
                plan.nodes(),
                plan.seed(),
                sender.requests(),
                findings.keys(),
                faults.total(),
                faults);
        for (Guarantee guarantee : Guarantee.values()) {
            long broken = findings.violations(guarantee);
            if (broken > 0) {
                out.printf(Locale.ROOT, "BROKEN %-3s %s (%d times)%n", guarantee, guarantee.meaning(), broken);
            } else if (guarantee != NOT_JUDGED) {
                out.printf(Locale.ROOT, "holds  %-3s %s%n", guarantee, guarantee.meaning());
            }
        }
        out.println();
        if (!plan.door().isBroker()) {
            printRecovery(out);
        }
        findings.leftovers().stream().limit(5).forEach(left -> out.println("Left over: " + left));
        findings.shortestStory().ifPresent(story -> out.printf("%nThe shortest story:%n%s%n", story));
        out.println(
                findings.isClean()
                        ? "No guarantee was broken."
                        : "BROKEN. Repeat it with --seed " + plan.seed() + "; --minimise finds the fewest faults.");
    }

    private void printRecovery(PrintStream out) {
        List<Double> undisturbed = recoveries.undisturbed();
        out.printf(
                Locale.ROOT,
                "Recovery: of %d operations whose owner died, 99 of 100 callers knew how theirs stands within %.1f s (lease %.1f s)%n",
                undisturbed.size(),
                RecoveryTimes.quantile(undisturbed, 0.99),
                plan.lease().toMillis() / 1000.0);
    }

    /** Every figure, for those who look for something. */
    void printFigures(PrintStream out) {
        findings.stories().stream().skip(1).limit(MORE_STORIES).forEach(story -> out.printf("%s%n%n", story));
        out.println("Replies: " + replies());
        sender.reasons().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(8)
                .forEach(reason -> out.printf(Locale.ROOT, "  %6d  %s%n", reason.getValue(), reason.getKey()));
        out.println("Keys in the end: " + states);
        out.println("Faults:");
        faults.details().forEach((detail, count) -> out.printf(Locale.ROOT, "  %6d  %s%n", count, detail));
        out.println();
        numbers().forEach((name, value) -> out.printf(Locale.ROOT, "%-42s %s%n", name, value));
        out.println("Slowest recoveries without another fault: " + recoveries.slowest());
    }

    private String replies() {
        return java.util.Arrays.stream(ServiceReply.Kind.values())
                .filter(kind -> sender.replies(kind) > 0)
                .map(kind -> kind + " " + sender.replies(kind))
                .collect(Collectors.joining(", "));
    }
}
