package dev.semel.torture;

import dev.semel.torture.fault.FaultLog.Injected;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Repeats a run that broke something with fewer and fewer of its faults, until none can be left out or the limit is reached.
 *
 * <p>A seed repeats which faults there are and what they hit, not the moment at which a thread is interrupted. So a smaller
 * schedule counts as harmless only if it broke nothing {@value #TRIES} times.
 */
final class Minimiser {

    private static final int TRIES = 2;

    /** At least as long as a lease, a lapse and a retry take. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final TorturePlan plan;
    private final Repetition repetition;
    private final Limit limit;
    private final Clock clock;
    private final PrintStream out;
    private int runs;

    /** Runs the plan again with some of its faults. */
    @FunctionalInterface
    interface Repetition {

        /** @param wanted which faults of the schedule are injected, by their places in it */
        Findings run(TorturePlan plan, Predicate<String> wanted) throws Exception;

        /** A torture that prints nothing. */
        static Findings silently(TorturePlan plan, Predicate<String> wanted) throws Exception {
            try (PrintStream silence =
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
                return new TortureRun(plan, silence, wanted).run().findings();
            }
        }
    }

    /** How many runs may begin, and for how long. */
    record Limit(int runs, Duration time) {}

    /**
     * What broke in a run.
     *
     * @param faults those that it had
     * @param took how long it had load and faults
     */
    record Broken(List<Injected> faults, Findings findings, Duration took) {}

    Minimiser(TorturePlan plan, Repetition repetition, Limit limit, Clock clock, PrintStream out) {
        this.plan = plan;
        this.repetition = repetition;
        this.limit = limit;
        this.clock = clock;
        this.out = out;
    }

    /** Finds the fewest faults that still break something, and tells the story of the last run that did. */
    BrokenStory minimise(Broken broken) throws Exception {
        Instant end = clock.instant().plus(limit.time());
        TorturePlan shorter = plan.lasting(lengthOf(broken));
        out.printf(
                "%nMinimising %d faults, with up to %d runs of %d s each, for up to %d s.%n",
                broken.faults().size(),
                limit.runs(),
                shorter.duration().toSeconds(),
                limit.time().toSeconds());
        Search search = new Search(shorter, end, broken);
        search.run();
        return new BrokenStory(plan, broken.faults().size(), search.fewest.faults(), search.fewest.findings());
    }

    /** Long enough to break the same, and not longer than the plan says. */
    private Duration lengthOf(Broken broken) {
        Duration length = broken.took().multipliedBy(3).dividedBy(2);
        Duration shortened = length.compareTo(plan.duration()) > 0 ? plan.duration() : length;
        return shortened.compareTo(SHORTEST) < 0 ? SHORTEST : shortened;
    }

    /** One search for the fewest faults. */
    private final class Search {

        private final TorturePlan shorter;
        private final Instant end;
        private Broken fewest;

        Search(TorturePlan shorter, Instant end, Broken broken) {
            this.shorter = shorter;
            this.end = end;
            this.fewest = broken;
        }

        void run() throws Exception {
            if (fewest.faults().isEmpty() || breaks(List.of())) {
                return;
            }
            keepOneKind();
            for (int size = (fewest.faults().size() + 1) / 2; size >= 1; size /= 2) {
                leaveOut(size);
            }
        }

        /** Often one kind of fault is enough, which leaves little to try; most likely the kind that came last. */
        private void keepOneKind() throws Exception {
            List<Injected> faults = fewest.faults();
            List<FaultKind> kinds = new ArrayList<>();
            for (Injected fault : faults) {
                kinds.remove(fault.kind());
                kinds.add(0, fault.kind());
            }
            for (FaultKind kind : kinds) {
                List<Injected> same =
                        faults.stream().filter(fault -> fault.kind() == kind).toList();
                if (same.size() < faults.size() && breaks(same)) {
                    return;
                }
            }
        }

        /** Leaves out so many neighbours at a time, the earliest first. */
        private void leaveOut(int size) throws Exception {
            int from = 0;
            while (from < fewest.faults().size()) {
                List<Injected> fewer = new ArrayList<>(fewest.faults());
                fewer.subList(from, Math.min(from + size, fewer.size())).clear();
                if (fewer.isEmpty() || !breaks(fewer)) {
                    from += size;
                }
            }
        }

        private boolean breaks(List<Injected> fewer) throws Exception {
            Set<String> ids = fewer.stream().map(Injected::id).collect(Collectors.toSet());
            for (int i = 0; i < TRIES; i++) {
                if (runs >= limit.runs() || !clock.instant().isBefore(end)) {
                    return false;
                }
                runs++;
                Findings next = repetition.run(shorter, ids::contains);
                if (!next.isClean()) {
                    fewest = new Broken(fewer, next, shorter.duration());
                    out.printf("%4d faults: broken%n", fewer.size());
                    return true;
                }
            }
            out.printf("%4d faults: nothing broken%n", fewer.size());
            return false;
        }
    }
}
