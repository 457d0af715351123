package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.fault.FaultLog.Injected;
import dev.semel.torture.node.Bug;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which faults are left out of a run that broke something. */
class MinimiserTest {

    private static final Duration TOOK = Duration.ofSeconds(40);
    private static final Duration LONG = Duration.ofHours(10);

    private final List<Duration> runs = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    @Test
    void keepsTheFaultsThatBreakTogether() throws Exception {
        BrokenStory story = minimise(30, needing("NODES-3", "NODES-7"), new Minimiser.Limit(100, LONG));

        assertThat(story.faults()).extracting(Injected::id).containsExactly("NODES-3", "NODES-7");
        assertThat(story.before()).isEqualTo(30);
    }

    @Test
    void needsNoFaultsWhereNoneBreakItToo() throws Exception {
        BrokenStory story = minimise(30, needing(), new Minimiser.Limit(100, LONG));

        assertThat(story.faults()).isEmpty();
        assertThat(runs).hasSize(1);
    }

    @Test
    void keepsAllFaultsOfARunThatNeverBreaksAgain() throws Exception {
        BrokenStory story = minimise(4, needing("none of them"), new Minimiser.Limit(100, LONG));

        assertThat(story.faults()).hasSize(4);
        assertThat(story.findings().isClean()).isFalse();
    }

    @Test
    void beginsNoRunAfterTheTimeIsOver() throws Exception {
        BrokenStory story = minimise(30, needing("NODES-3"), new Minimiser.Limit(100, Duration.ofMinutes(4)));

        assertThat(runs).hasSize(4);
        assertThat(story.findings().isClean()).isFalse();
    }

    @Test
    void beginsNoMoreRunsThanAllowed() throws Exception {
        minimise(30, needing("NODES-3"), new Minimiser.Limit(5, LONG));

        assertThat(runs).hasSize(5);
    }

    @Test
    void repeatsForHalfAsLongAgainAsTheFirstRunTook() throws Exception {
        minimise(30, needing("NODES-3"), new Minimiser.Limit(100, LONG));

        assertThat(runs).containsOnly(Duration.ofSeconds(60));
    }

    @Test
    void tellsTheStoryInTenLines() throws Exception {
        BrokenStory story = minimise(30, needing("NODES-3", "NODES-7"), new Minimiser.Limit(100, LONG));

        assertThat(story.lines())
                .hasSize(10)
                .startsWith(
                        "Of 30 faults, 2 are enough (--seed 7 --store redis --door engine):",
                        "  after 3.0 s: kill any-moment",
                        "  after 7.0 s: kill any-moment",
                        "  G2 alice/HO-1: different outcomes",
                        "    event 1");
    }

    @Test
    void readsTheStoryFromALog() throws Exception {
        List<String> lines =
                minimise(30, needing("NODES-3"), new Minimiser.Limit(100, LONG)).lines();
        List<String> log = new ArrayList<>(List.of("Minimising 30 faults", ""));
        log.addAll(lines);
        log.add("and more");

        assertThat(BrokenStory.in(log)).isEqualTo(lines);
        assertThat(BrokenStory.in(List.of("No guarantee was broken."))).isEmpty();
    }

    private BrokenStory minimise(int faults, Predicate<Predicate<String>> breaks, Minimiser.Limit limit)
            throws Exception {
        List<Injected> injected = IntStream.rangeClosed(1, faults)
                .mapToObj(i -> new Injected("NODES-" + i, kind(i), "any-moment", i))
                .toList();
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        Minimiser.Repetition repetition = (plan, wanted) -> {
            runs.add(plan.duration());
            now = now.plus(plan.duration());
            return breaks.test(wanted) ? broken() : new Findings();
        };
        return new Minimiser(plan(), repetition, limit, new MovingClock(), out)
                .minimise(new Minimiser.Broken(injected, broken(), TOOK));
    }

    /** What breaks whenever all of these are injected. */
    private static Predicate<Predicate<String>> needing(String... ids) {
        return wanted -> Set.of(ids).stream().allMatch(wanted);
    }

    private static FaultKind kind(int number) {
        return number % 4 == 3 ? FaultKind.KILL : FaultKind.PAUSE;
    }

    private static Findings broken() {
        Findings findings = new Findings();
        List<String> events =
                IntStream.rangeClosed(1, 20).mapToObj(i -> "event " + i).toList();
        findings.add(
                Operation.HOLD,
                List.of(new Violation(Guarantee.G2, Key.of("alice", "HO-1"), "different outcomes", events)));
        return findings;
    }

    private static TorturePlan plan() {
        return new TorturePlan(
                Duration.ofSeconds(180),
                StoreKind.REDIS,
                Door.ENGINE,
                EnumSet.of(FaultKind.KILL, FaultKind.PAUSE),
                7,
                3,
                150,
                Duration.ofSeconds(2),
                "semel",
                Bug.NONE,
                true);
    }

    /** Moves with the runs. */
    private final class MovingClock extends Clock {

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
