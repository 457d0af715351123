package dev.semel.torture;

import dev.semel.testkit.history.Violation;
import dev.semel.torture.fault.FaultLog.Injected;
import dev.semel.torture.plan.TorturePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a minimised run broke, in at most {@value #LINES} lines.
 *
 * @param before how many faults the whole run had
 * @param faults those that are enough
 * @param findings what they led to
 */
record BrokenStory(TorturePlan plan, int before, List<Injected> faults, Findings findings) {

    private static final int LINES = 10;
    private static final int FAULTS = 3;
    private static final String BEGINNING = "Of ";
    private static final String ENOUGH = " are enough (--seed ";

    List<String> lines() {
        List<String> story = new ArrayList<>();
        story.add(BEGINNING + before + " faults, " + faults.size() + ENOUGH + plan.seed() + " --store " + plan.store()
                + " --door " + plan.door() + "):");
        faults.stream()
                .limit(FAULTS)
                .map(fault -> String.format(
                        Locale.ROOT, "  after %.1f s: %s %s", fault.atSeconds(), fault.kind(), fault.detail()))
                .forEach(story::add);
        findings.shortestStory().ifPresent(violation -> story.addAll(lines(violation)));
        findings.leftovers().forEach(left -> story.add("  left over: " + left));
        return story.stream().limit(LINES).toList();
    }

    private static List<String> lines(Violation violation) {
        String key = violation.key().scope() + "/" + violation.key().value();
        return Stream.concat(
                        Stream.of("  " + violation.guarantee() + " " + key + ": " + violation.what()),
                        violation.story().stream().map(line -> "    " + line))
                .toList();
    }

    /** The story in what a run has printed; empty if there is none. */
    static List<String> in(List<String> log) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).startsWith(BEGINNING) && log.get(i).contains(ENOUGH)) {
                List<String> told = log.subList(i + 1, Math.min(log.size(), i + LINES));
                return Stream.concat(Stream.of(log.get(i)), told.stream().takeWhile(line -> line.startsWith("  ")))
                        .toList();
            }
        }
        return List.of();
    }
}
