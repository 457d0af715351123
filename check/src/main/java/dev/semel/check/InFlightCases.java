package dev.semel.check;

import static dev.semel.check.CheckCase.convention;
import static dev.semel.check.CheckCase.hazard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** P7.3 and P8: the same key again while the first request is still running. */
final class InFlightCases {

    static final int PATIENCE = 8;
    static final int SLOW_MILLIS = 500;

    private InFlightCases() {}

    static List<CheckCase> all() {
        return List.of(
                convention("P7.3")
                        .needs(Cases::needsSlowHeader)
                        .needs(Cases::needsOtherBody)
                        .sends(2)
                        .judgedBy(InFlightCases::otherBody),
                hazard("P8.1")
                        .sends(target -> target.duplicates + PATIENCE)
                        .countsEffects()
                        .judgedBy(InFlightCases::manyAtOnce),
                hazard("P8.2")
                        .needs(Cases::needsSlowHeader)
                        .sends(2 + PATIENCE)
                        .countsEffects()
                        .judgedBy(InFlightCases::duplicate));
    }

    private static Verdict otherBody(Probe probe) throws InterruptedException {
        String key = probe.newKey();
        CompletableFuture<TrialResponse> running =
                probe.later(probe.request().key(key).with(probe.target().slowHeader));
        probe.headStart();
        TrialResponse other = probe.send(probe.request().key(key).body(Cases.knownOtherBody(probe.target())));
        TrialResponse first = running.join();
        if (first.tookMillis() < SLOW_MILLIS) {
            return notSlow(first);
        }
        String seen = other.brief() + " while the first request ran, which ended with " + first.brief();
        if (other.turnedAway()) {
            return Cases.turnedAway(seen);
        }
        return other.refused() && other.status() != 409 ? Verdict.passed(seen) : Verdict.finding(seen);
    }

    static Verdict notSlow(TrialResponse first) {
        return Verdict.skipped("the request with --slow-header was answered after " + first.tookMillis()
                + " ms, too soon for a duplicate to meet it");
    }

    private static Verdict manyAtOnce(Probe probe) throws InterruptedException {
        String key = probe.newKey();
        Supplier<OptionalLong> effects = probe.countEffects(key);
        List<CompletableFuture<TrialResponse>> sent = new ArrayList<>();
        for (int i = 0; i < probe.target().duplicates; i++) {
            sent.add(probe.later(probe.request().key(key)));
        }
        List<TrialResponse> replies = new ArrayList<>();
        sent.forEach(sending -> replies.add(sending.join()));
        TrialResponse last = probe.retried(() -> probe.request().key(key), PATIENCE);
        OptionalLong made = effects.get();
        String seen = tally(replies) + "; a retry later: " + last.brief() + Cases.counted(made);
        boolean strange = replies.stream()
                .anyMatch(reply -> !reply.succeeded()
                        && !reply.isPending()
                        && !reply.refused()
                        && !reply.turnedAway()
                        && reply.status() != probe.target().inFlightStatus());
        replies.add(last);
        if (Cases.moreThanOne(made)) {
            return Verdict.finding(seen);
        }
        long different = Probe.operations(replies);
        if (different > 1) {
            return Verdict.finding(seen + "; " + different + " different answers");
        }
        if (strange || !last.succeeded()) {
            return Verdict.finding(seen);
        }
        if (Cases.none(made)) {
            return Cases.noEffect(seen);
        }
        return made.isEmpty() && probe.baseline().canHideARun(replies) ? Cases.needsCount(seen) : Verdict.passed(seen);
    }

    private static String tally(List<TrialResponse> replies) {
        Map<String, Integer> counts = new TreeMap<>();
        replies.forEach(reply ->
                counts.merge(reply.answered() ? Integer.toString(reply.status()) : reply.failure(), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((what, count) -> words.add(count + " × " + what));
        return String.join(", ", words);
    }

    private static Verdict duplicate(Probe probe) throws InterruptedException {
        String key = probe.newKey();
        Supplier<TrialRequest> request = () -> probe.request().key(key).with(probe.target().slowHeader);
        Supplier<OptionalLong> effects = probe.countEffects(key);
        CompletableFuture<TrialResponse> running = probe.later(request.get());
        probe.headStart();
        TrialResponse second = probe.send(request.get());
        TrialResponse first = running.join();
        TrialResponse last = probe.retried(request, PATIENCE);
        OptionalLong made = effects.get();
        if (first.answered() && first.tookMillis() < SLOW_MILLIS) {
            return notSlow(first);
        }
        String seen = "first " + first.brief() + ", duplicate " + second.brief() + ", later " + last.brief()
                + Cases.counted(made);
        if (Cases.moreThanOne(made) || Probe.operations(List.of(first, second, last)) > 1) {
            return Verdict.finding(seen + ": applied more than once");
        }
        if (!last.succeeded()) {
            return Verdict.finding(seen + ": the retry never gets the outcome");
        }
        if (Cases.none(made)) {
            return Cases.noEffect(seen);
        }
        if (made.isEmpty() && probe.baseline().canHideARun(List.of(first, second, last))) {
            return Cases.needsCount(seen);
        }
        // On a busy network the duplicate can arrive first; then the roles are exchanged.
        TrialResponse told = first.succeeded() ? second : first;
        if (told.succeeded()) {
            return Verdict.passed(seen + ": the duplicate waits");
        }
        if (told.isPending()) {
            return Verdict.passed(seen + ": 202 and a place to ask");
        }
        if (told.status() != probe.target().inFlightStatus()) {
            return Verdict.finding(seen);
        }
        return told.header("Retry-After").isPresent()
                ? Verdict.passed(
                        seen + ", Retry-After: " + told.header("Retry-After").orElse(""))
                : Verdict.finding(seen + ": " + told.status() + " without Retry-After");
    }
}
