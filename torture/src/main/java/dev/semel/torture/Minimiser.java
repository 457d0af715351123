package dev.semel.torture;

import dev.semel.testkit.history.Violation;
import dev.semel.torture.fault.FaultLog.Injected;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Repeats a run that broke something with fewer and fewer of its faults, until none can be left out.
 *
 * <p>A seed repeats which faults there are and what they hit, not the moment at which a thread is interrupted. So a smaller
 * schedule counts as harmless only if it broke nothing {@value #TRIES} times.
 */
final class Minimiser {

    private static final int TRIES = 2;
    private static final int LINES = 10;

    /** At least as long as a lease, a lapse and a retry take. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final TorturePlan plan;
    private final PrintStream out;
    private final Duration limit;
    private List<Injected> faults;
    private Verdict verdict;
    private int runs;

    /** @param broken what the whole schedule led to */
    Minimiser(TorturePlan plan, Verdict broken, PrintStream out) {
        this.plan = plan;
        this.out = out;
        this.verdict = broken;
        this.faults = broken.faults().injected();
        Duration took = broken.took().multipliedBy(3).dividedBy(2);
        this.limit = took.compareTo(SHORTEST) < 0 ? SHORTEST : took;
    }

    /** Finds the fewest faults that still break something, within so many runs, and tells the story of the last run. */
    void minimise(int maxRuns) throws Exception {
        int before = faults.size();
        out.printf("%nMinimising %d faults, with up to %d runs of %d s each.%n", before, maxRuns, limit.toSeconds());
        if (!breaks(List.of())) {
            keepOneKind();
            for (int size = (faults.size() + 1) / 2; size >= 1 && runs < maxRuns; size /= 2) {
                leaveOut(size, maxRuns);
            }
        }
        tell(before);
    }

    /** Often one kind of fault is enough, which leaves little to try. */
    private void keepOneKind() throws Exception {
        Set<FaultKind> kinds = faults.stream().map(Injected::kind).collect(Collectors.toCollection(TreeSet::new));
        for (FaultKind kind : kinds) {
            List<Injected> same =
                    faults.stream().filter(fault -> fault.kind() == kind).toList();
            if (same.size() < faults.size() && breaks(same)) {
                return;
            }
        }
    }

    /** Leaves out so many neighbours at a time. */
    private void leaveOut(int size, int maxRuns) throws Exception {
        int from = 0;
        while (from < faults.size() && runs < maxRuns) {
            List<Injected> fewer = new ArrayList<>(faults);
            fewer.subList(from, Math.min(from + size, fewer.size())).clear();
            if (fewer.isEmpty() || !breaks(fewer)) {
                from += size;
            }
        }
    }

    private boolean breaks(List<Injected> fewer) throws Exception {
        Set<String> ids = fewer.stream().map(Injected::id).collect(Collectors.toSet());
        for (int i = 0; i < TRIES; i++) {
            runs++;
            try (PrintStream silence =
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
                Verdict next = new TortureRun(plan.lasting(limit), silence, ids::contains).run();
                if (!next.findings().isClean()) {
                    verdict = next;
                    faults = fewer;
                    out.printf("%4d faults: broken%n", fewer.size());
                    return true;
                }
            }
        }
        out.printf("%4d faults: nothing broken%n", fewer.size());
        return false;
    }

    /** At most ten lines. */
    private void tell(int before) {
        List<String> story = new ArrayList<>();
        story.add("Of " + before + " faults, " + faults.size() + " are enough (--seed " + plan.seed() + " --store "
                + plan.store() + " --door " + plan.door() + "):");
        faults.stream()
                .limit(3)
                .map(fault -> String.format(
                        Locale.ROOT, "  after %.1f s: %s %s", fault.atSeconds(), fault.kind(), fault.detail()))
                .forEach(story::add);
        verdict.findings().shortestStory().ifPresent(violation -> add(story, violation));
        verdict.findings().leftovers().stream()
                .limit(LINES - (long) story.size())
                .forEach(left -> story.add("  left over: " + left));
        out.println();
        story.forEach(out::println);
    }

    private static void add(List<String> story, Violation violation) {
        story.add("  " + violation.guarantee() + " " + violation.key().scope() + "/"
                + violation.key().value() + ": " + violation.what());
        violation.story().stream().limit(LINES - (long) story.size()).forEach(line -> story.add("    " + line));
    }
}
