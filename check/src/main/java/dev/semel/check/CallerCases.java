package dev.semel.check;

import static dev.semel.check.CheckCase.convention;
import static dev.semel.check.CheckCase.hazard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** P16 and P18: the content of refusals, and the caller that a key belongs to. */
final class CallerCases {

    private CallerCases() {}

    static List<CheckCase> all() {
        return List.of(
                convention("P16.1").needs(Cases::needsOtherBody).sends(2).judgedBy(CallerCases::problem),
                hazard("P18.1").needs(CallerCases::needsCallers).sends(2).judgedBy(probe -> otherCaller(probe, false)),
                hazard("P18.2")
                        .needs(CallerCases::needsCallers)
                        .needs(Cases::needsOtherBody)
                        .sends(2)
                        .judgedBy(probe -> otherCaller(probe, true)));
    }

    private static @Nullable String needsCallers(CheckTarget target) {
        return target.callerA == null || target.callerB == null
                ? "--caller-a and --caller-b: the credentials of two callers"
                : null;
    }

    private static Verdict problem(Probe probe) {
        String key = probe.newKey();
        probe.send(probe.request().key(key));
        TrialResponse refusal = probe.send(probe.request().key(key).body(Cases.knownOtherBody(probe.target())));
        if (!refusal.refused()) {
            return Verdict.skipped("the request was not refused: " + refusal.brief());
        }
        String type = refusal.header("Content-Type").orElse("no Content-Type");
        String text = refusal.text();
        List<String> lacking = new ArrayList<>();
        if (!type.startsWith("application/problem+json")) {
            lacking.add("it is " + type);
        } else if (!text.matches("(?s).*\"type\"\\s*:\\s*\"(?!about:blank\").+")) {
            lacking.add("it has no type of its own");
        }
        if (!lacking.isEmpty()) {
            return Verdict.finding(refusal.brief() + ": " + String.join(", ", lacking));
        }
        boolean extended = text.contains("\"outcome\"") && text.contains("\"retry\"");
        return Verdict.passed(refusal.brief() + (extended ? ", with outcome and retry" : ""));
    }

    private static Verdict otherCaller(Probe probe, boolean otherBody) {
        String key = probe.newKey();
        TrialResponse mine = probe.send(probe.request().key(key));
        TrialRequest request = probe.request().key(key).as(probe.target().callerB);
        TrialResponse theirs = probe.send(otherBody ? request.body(Cases.knownOtherBody(probe.target())) : request);
        String seen = "caller a " + mine.brief() + ", caller b " + theirs.brief();
        if (theirs.status() == 401 || theirs.status() == 403) {
            return Verdict.skipped("caller b is not allowed to call this operation: " + theirs.brief());
        }
        if (!theirs.succeeded()) {
            return Verdict.finding(seen);
        }
        if (probe.baseline().isReplay(theirs, mine)) {
            return Verdict.finding(seen + ": caller a's answer");
        }
        return probe.baseline().isBlind() ? Cases.cannotSee(seen) : Verdict.passed(seen);
    }
}
