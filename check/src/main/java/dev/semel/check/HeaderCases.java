package dev.semel.check;

import static dev.semel.check.CheckCase.convention;
import static dev.semel.check.CheckCase.hazard;

import java.util.List;

/** P1 to P5: the header. */
final class HeaderCases {

    private static final int LONG = 300;

    private HeaderCases() {}

    static List<CheckCase> all() {
        return List.of(
                convention("P1.1").sends(2).judgedBy(probe -> sameKey(probe, "\"KEY\"", "\"KEY\";v=1")),
                convention("P2.1").sends(2).judgedBy(probe -> sameKey(probe, "KEY", "\"KEY\"")),
                hazard("P2.2").sends(2).judgedBy(HeaderCases::anyCase),
                hazard("P3.1")
                        .sends(1)
                        .judgedBy(probe -> refused(probe, probe.request().rawKey(""))),
                hazard("P3.2").sends(2).judgedBy(HeaderCases::longKeys),
                convention("P3.3")
                        .sends(1)
                        .judgedBy(probe -> refused(probe, probe.request().rawKey('"' + probe.newKey()))),
                hazard("P3.4")
                        .sends(1)
                        .judgedBy(probe -> refused(
                                probe, probe.request().key(probe.newKey()).key(probe.newKey()))),
                convention("P5.1").sends(1).judgedBy(HeaderCases::missing));
    }

    private static Verdict sameKey(Probe probe, String one, String other) {
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().rawKey(one.replace("KEY", key)));
        TrialResponse second = probe.send(probe.request().rawKey(other.replace("KEY", key)));
        return replays(probe, first, second);
    }

    private static Verdict anyCase(Probe probe) {
        String key = probe.newKey();
        String name = probe.target().keyHeader;
        TrialResponse first =
                probe.send(probe.request().rawKey(name.toLowerCase(java.util.Locale.ROOT), '"' + key + '"'));
        TrialResponse second =
                probe.send(probe.request().rawKey(name.toUpperCase(java.util.Locale.ROOT), '"' + key + '"'));
        return replays(probe, first, second);
    }

    /** Whether the second answer is the stored first one. */
    static Verdict replays(Probe probe, TrialResponse first, TrialResponse second) {
        String seen = first.brief() + ", then " + second.brief();
        if (!first.succeeded() || !second.succeeded()) {
            return Verdict.finding(seen);
        }
        Baseline baseline = probe.baseline();
        // P9.1 checks whether it is the right answer.
        if (baseline.isReplay(second, first)) {
            return Verdict.passed(seen);
        }
        return baseline.isBlind() ? Cases.cannotSee(seen) : Verdict.finding(seen + ": run again");
    }

    private static Verdict refused(Probe probe, TrialRequest request) {
        TrialResponse reply = probe.send(request);
        if (reply.turnedAway()) {
            return Cases.turnedAway(reply.brief());
        }
        return reply.refused() ? Verdict.passed(reply.brief()) : Verdict.finding(reply.brief());
    }

    private static Verdict longKeys(Probe probe) {
        String start = "k".repeat(LONG - 1 - probe.newKey().length()) + probe.newKey();
        TrialResponse first = probe.send(probe.request().key(start + "a"));
        TrialResponse second = probe.send(probe.request().key(start + "b"));
        String seen = first.brief() + ", then " + second.brief();
        if (first.turnedAway() || second.turnedAway()) {
            return Cases.turnedAway(seen);
        }
        if (first.refused() && second.refused()) {
            return Verdict.passed(seen);
        }
        if (!first.succeeded() || !second.succeeded() || probe.baseline().isReplay(second, first)) {
            return Verdict.finding(seen);
        }
        return probe.baseline().isBlind() ? Cases.cannotSee(seen) : Verdict.passed(seen + ": two operations");
    }

    private static Verdict missing(Probe probe) {
        TrialResponse reply = probe.send(probe.request());
        if (reply.turnedAway()) {
            return Cases.turnedAway(reply.brief());
        }
        if (reply.refused()) {
            return Verdict.passed(reply.brief());
        }
        return reply.succeeded() && !probe.target().keyRequired
                ? Verdict.passed(reply.brief() + ": passes unprotected")
                : Verdict.finding(reply.brief());
    }
}
