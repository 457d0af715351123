package dev.semel.check;

import static dev.semel.check.CheckCase.hazard;

import dev.semel.check.CheckTarget.HeaderLine;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** P11 to P14: stored outcomes, and how long they are kept. */
final class StoredCases {

    private static final int PATIENCE = 8;

    private StoredCases() {}

    static List<CheckCase> all() {
        return List.of(
                hazard("P11.1")
                        .needs(
                                "--retention: how long keys are kept, if the check may wait for that long",
                                target -> target.retention != null)
                        .sends(3)
                        .judgedBy(StoredCases::retention),
                hazard("P12.1")
                        .needs("--bad-body: a body that is refused with a 4xx", target -> target.badBody != null)
                        .sends(2)
                        .judgedBy(StoredCases::refusal),
                hazard("P12.2")
                        .needs(
                                "--error-header: a header that makes a request fail with a 5xx",
                                target -> target.errorHeader != null)
                        .sends(1 + PATIENCE)
                        .countsEffects()
                        .judgedBy(StoredCases::error),
                hazard("P14.1").sends(1 + PATIENCE).countsEffects().judgedBy(probe -> leaves(probe, false)),
                hazard("P14.2")
                        .needs("a body of at least two bytes", target -> target.body.length >= 2)
                        .sends(1 + PATIENCE)
                        .countsEffects()
                        .judgedBy(probe -> leaves(probe, true)));
    }

    private static Verdict retention(Probe probe) throws InterruptedException {
        Duration retention = probe.target().retention;
        long millis = retention == null ? 0 : retention.toMillis();
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key));
        Thread.sleep(millis / 2);
        TrialResponse within = probe.send(probe.request().key(key));
        Thread.sleep(millis / 2 + millis / 5 + 1000);
        TrialResponse after = probe.send(probe.request().key(key));
        String seen = first.brief() + ", half-way " + within.brief() + ", after the end " + after.brief();
        boolean kept = within.sameAs(first) && probe.baseline().isReplay(within, first);
        boolean ended = after.status() == 410 || (after.succeeded() && !after.marked());
        return kept && ended ? Verdict.passed(seen) : Verdict.finding(seen);
    }

    private static Verdict refusal(Probe probe) {
        byte[] bad = probe.target().badBody;
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key).body(bad == null ? new byte[0] : bad));
        if (!first.refused()) {
            return Verdict.skipped("--bad-body was not refused with a 4xx for its content: " + first.brief());
        }
        TrialResponse second = probe.send(probe.request().key(key).body(bad == null ? new byte[0] : bad));
        String seen = first.brief() + ", then " + second.brief();
        return first.status() == second.status() ? Verdict.passed(seen) : Verdict.finding(seen);
    }

    private static Verdict error(Probe probe) throws InterruptedException {
        String key = probe.newKey();
        Supplier<TrialRequest> request = () -> probe.request().key(key).with(probe.target().errorHeader);
        Supplier<OptionalLong> effects = probe.countEffects(key);
        TrialResponse first = probe.send(request.get());
        if (first.status() < 500) {
            return Verdict.skipped("--error-header did not make the request fail with a 5xx: " + first.brief());
        }
        TrialResponse second = probe.retried(request, PATIENCE);
        OptionalLong made = effects.get();
        String seen = first.brief() + ", then " + second.brief() + Cases.counted(made);
        if (Cases.moreThanOne(made)) {
            return Verdict.finding(seen + ": run again");
        }
        boolean replayed = second.marked() && second.status() == first.status();
        if (!replayed && !first.sameAs(second)) {
            return Verdict.finding(seen);
        }
        // Errors often look alike, also where successes do not, and some come before the effect.
        return replayed || Cases.one(made) ? Verdict.passed(seen) : Cases.needsCount(seen);
    }

    private static Verdict leaves(Probe probe, boolean midway) throws InterruptedException {
        String key = probe.newKey();
        @Nullable HeaderLine slow = probe.target().slowHeader;
        Supplier<TrialRequest> request = () -> probe.request().key(key).with(slow);
        Supplier<OptionalLong> effects = probe.countEffects(key);
        TrialRequest left = request.get();
        probe.abandon(left, midway ? left.bodyLength() / 2 : left.bodyLength());
        if (midway) {
            // An API learns only now that no more will come; what it makes of that must not come after the retry.
            probe.headStart();
        }
        TrialResponse reply = probe.retried(request, PATIENCE);
        OptionalLong made = effects.get();
        String seen = "the retry: " + reply.brief() + Cases.counted(made);
        if (Cases.moreThanOne(made)) {
            return Verdict.finding(seen + ": applied more than once");
        }
        if (!reply.succeeded()) {
            return Verdict.finding(seen);
        }
        if (Cases.none(made)) {
            return Cases.noEffect(seen);
        }
        // A whole request that follows half of one is no replay, however often both were applied.
        boolean replayed = !midway && reply.marked();
        return replayed || Cases.one(made) ? Verdict.passed(seen) : Cases.needsCount(seen);
    }
}
