package dev.semel.check;

import static dev.semel.check.CheckCase.convention;
import static dev.semel.check.CheckCase.hazard;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** P6, P7 and P9: the same key again, one request after the other. */
final class SameRequestCases {

    private static final int RETRIES = 5;
    private static final List<String> REPLAYED_HEADERS = List.of(
            "Content-Type", "Content-Encoding", "Content-Language", "Location", "ETag", "Link", "Cache-Control");

    private SameRequestCases() {}

    static List<CheckCase> all() {
        return List.of(
                convention("P6.1")
                        .needs(target -> needsJson(target, true))
                        .sends(2)
                        .judgedBy(probe -> rewritten(probe, JsonShape::reordered)),
                convention("P6.2")
                        .needs(target -> needsJson(target, false))
                        .sends(2)
                        .judgedBy(probe -> rewritten(probe, JsonShape::spacedOut)),
                hazard("P7.1")
                        .needs(Cases::needsOtherBody)
                        .sends(2)
                        .countsEffects()
                        .judgedBy(SameRequestCases::otherBody),
                hazard("P7.2")
                        .needs(
                                "--other-url: another operation that takes the same request",
                                target -> target.otherUri != null)
                        .sends(2)
                        .judgedBy(SameRequestCases::otherOperation),
                hazard("P9.1").judgedBy(SameRequestCases::sameAnswer),
                convention("P9.2").judgedBy(SameRequestCases::sameHeaders),
                hazard("P9.3").judgedBy(SameRequestCases::noCookies),
                convention("P9.4").judgedBy(SameRequestCases::marker),
                hazard("P9.5").sends(RETRIES + 1).countsEffects().judgedBy(SameRequestCases::manyRetries));
    }

    private static @Nullable String needsJson(CheckTarget target, boolean reordered) {
        if (!target.isJson()) {
            return "a body of JSON";
        }
        Optional<JsonShape> shape = JsonShape.of(text(target));
        if (shape.isEmpty()) {
            return "a body that is a JSON object";
        }
        return reordered && !shape.get().canBeReordered() ? "a JSON object with two members or more" : null;
    }

    private static String text(CheckTarget target) {
        return new String(target.body, StandardCharsets.UTF_8);
    }

    private static Verdict rewritten(Probe probe, Function<JsonShape, String> how) {
        JsonShape shape = JsonShape.of(text(probe.target())).orElseThrow();
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key));
        TrialResponse second = probe.send(probe.request().key(key).body(how.apply(shape)));
        return HeaderCases.replays(probe, first, second);
    }

    private static Verdict otherBody(Probe probe) {
        String key = probe.newKey();
        Supplier<OptionalLong> effects = probe.countEffects(key);
        TrialResponse first = probe.send(probe.request().key(key));
        TrialResponse second = probe.send(probe.request().key(key).body(Cases.knownOtherBody(probe.target())));
        OptionalLong made = effects.get();
        String seen = first.brief() + ", then " + second.brief() + Cases.counted(made);
        if (Cases.moreThanOne(made)) {
            return Verdict.finding(seen + ": both were applied");
        }
        if (first.succeeded() && Cases.none(made)) {
            return Cases.noEffect(seen);
        }
        if (second.turnedAway()) {
            return Cases.turnedAway(seen);
        }
        if (second.refused()) {
            return Verdict.passed(second.status() == 422 ? seen : seen + " (422 is usual)");
        }
        return Verdict.finding(
                second.succeeded() && probe.baseline().isReplay(second, first)
                        ? seen + ": answered with the first answer"
                        : seen);
    }

    private static Verdict otherOperation(Probe probe) {
        URI other = probe.target().otherUri;
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key));
        TrialResponse second = probe.send(probe.request().key(key).to(other == null ? probe.target().uri : other));
        String seen = first.brief() + ", then " + second.brief();
        if (second.turnedAway()) {
            return Cases.turnedAway(seen);
        }
        if (second.refused()) {
            return Verdict.passed(seen);
        }
        if (!second.succeeded() || probe.baseline().isReplay(second, first)) {
            return Verdict.finding(seen);
        }
        return probe.baseline().isBlind() ? Cases.cannotSee(seen) : Verdict.passed(seen + ": an operation of its own");
    }

    private static Verdict sameAnswer(Probe probe) {
        Baseline baseline = probe.judgedBaseline();
        String seen = baseline.first().brief() + ", then " + baseline.second().brief();
        if (baseline.first().sameAs(baseline.second())) {
            return Verdict.passed(seen);
        }
        return Verdict.finding(
                baseline.first().status() == baseline.second().status()
                        ? seen + ": another body, \"" + excerpt(baseline.first().text()) + "\" and then \""
                                + excerpt(baseline.second().text()) + "\""
                        : seen);
    }

    private static String excerpt(String text) {
        return text.length() > 120 ? text.substring(0, 120) + "…" : text;
    }

    private static Verdict sameHeaders(Probe probe) {
        Baseline baseline = probe.judgedBaseline();
        List<String> differences = new ArrayList<>();
        for (String name : REPLAYED_HEADERS) {
            List<String> first = baseline.first().headers().allValues(name);
            List<String> second = baseline.second().headers().allValues(name);
            if (!first.equals(second)) {
                differences.add(name + " " + first + ", then " + second);
            }
        }
        return differences.isEmpty()
                ? Verdict.passed("the same headers")
                : Verdict.finding(String.join("; ", differences));
    }

    private static Verdict noCookies(Probe probe) {
        Baseline baseline = probe.judgedBaseline();
        List<String> replayed = new ArrayList<>(baseline.second().headers().allValues("Set-Cookie"));
        replayed.retainAll(baseline.first().headers().allValues("Set-Cookie"));
        return replayed.isEmpty()
                ? Verdict.passed("no cookie of the first answer")
                // The value is a secret, and reports are passed around.
                : Verdict.finding("Set-Cookie of the first answer once more: "
                        + replayed.get(0).replaceAll("=.*", "=…"));
    }

    private static Verdict marker(Probe probe) {
        Baseline baseline = probe.judgedBaseline();
        if (baseline.first().marked()) {
            return Verdict.finding("the first answer is marked as a replay");
        }
        return baseline.marks() ? Verdict.passed("marked") : Verdict.finding("not marked");
    }

    private static Verdict manyRetries(Probe probe) {
        String key = probe.newKey();
        Supplier<OptionalLong> effects = probe.countEffects(key);
        List<TrialResponse> replies = new ArrayList<>();
        for (int i = 0; i <= RETRIES; i++) {
            replies.add(probe.send(probe.request().key(key)));
        }
        OptionalLong made = effects.get();
        TrialResponse first = replies.get(0);
        boolean replayed = replies.stream()
                .skip(1)
                .allMatch(reply -> reply.succeeded() && probe.baseline().isReplay(reply, first));
        boolean same = replayed || replies.stream().allMatch(first::sameAs);
        String seen = (replayed
                        ? "a replay " + RETRIES + " times"
                        : String.join(
                                ", then ",
                                replies.stream().map(TrialResponse::brief).toList()))
                + Cases.counted(made);
        if (!same || Cases.moreThanOne(made)) {
            return Verdict.finding(seen);
        }
        if (first.succeeded() && Cases.none(made)) {
            return Cases.noEffect(seen);
        }
        if (replayed || Cases.one(made)) {
            return Verdict.passed(seen);
        }
        return probe.baseline().isBlind() ? Cases.needsCount(seen) : Verdict.finding(seen + ": run again");
    }
}
