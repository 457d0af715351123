package dev.semel.check;

import static dev.semel.check.CheckCase.convention;
import static dev.semel.check.CheckCase.hazard;

import dev.semel.check.CheckTarget.HeaderLine;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** P20: the expectations of a particular API's clients, beyond safety. */
final class DialectCases {

    private DialectCases() {}

    static List<CheckCase> all() {
        return List.of(
                hazard("P20.1").needs(Cases::needsOtherBody).sends(2).judgedBy(DialectCases::mismatch),
                convention("P20.2")
                        .needs(Cases::needsSlowHeader)
                        .sends(2 + InFlightCases.PATIENCE)
                        .judgedBy(DialectCases::inFlight),
                convention("P20.3").sends(1).judgedBy(DialectCases::missing),
                convention("P20.4").judgedBy(DialectCases::headers),
                convention("P20.5")
                        .needs("a limit for keys in the dialect", target -> target.dialect().maxKeyLength > 0)
                        .sends(1)
                        .judgedBy(DialectCases::tooLong));
    }

    private static ApiDialect dialect(Probe probe) {
        return probe.target().dialect();
    }

    private static Verdict mismatch(Probe probe) {
        String key = probe.newKey();
        TrialResponse first = probe.send(probe.request().key(key));
        TrialResponse second = probe.send(probe.request().key(key).body(Cases.knownOtherBody(probe.target())));
        return judged(dialect(probe).mismatch, second, first.brief() + ", then " + second.brief());
    }

    private static Verdict judged(ApiDialect.Refusal expected, TrialResponse reply, String seen) {
        String complaint = expected.complaint(reply);
        return complaint == null ? Verdict.passed(seen) : Verdict.finding(seen + ": " + complaint);
    }

    private static Verdict inFlight(Probe probe) throws InterruptedException {
        String key = probe.newKey();
        CompletableFuture<TrialResponse> running =
                probe.later(probe.request().key(key).with(probe.target().slowHeader));
        probe.headStart();
        TrialResponse second = probe.send(probe.request().key(key).with(probe.target().slowHeader));
        TrialResponse first = running.join();
        if (first.tookMillis() < InFlightCases.SLOW_MILLIS) {
            return InFlightCases.notSlow(first);
        }
        if (second.succeeded() && second.sameAs(first)) {
            return Verdict.passed(second.brief() + ": the duplicate waits");
        }
        Verdict verdict = judged(dialect(probe).inFlight, second, second.brief() + " while the first request ran");
        return verdict.state() != CaseResult.State.PASSED
                        || second.header("Retry-After").isPresent()
                ? verdict
                : Verdict.finding(second.brief() + " without Retry-After");
    }

    private static Verdict missing(Probe probe) {
        TrialResponse reply = probe.send(probe.request());
        ApiDialect.Refusal expected = dialect(probe).missing;
        if (expected != null) {
            return judged(expected, reply, reply.brief());
        }
        return reply.succeeded() ? Verdict.passed(reply.brief()) : Verdict.finding(reply.brief());
    }

    private static Verdict headers(Probe probe) {
        Baseline baseline = probe.judgedBaseline();
        for (String marker : dialect(probe).markers) {
            if (baseline.first().header(marker).isPresent()) {
                return Verdict.finding("the first answer has " + marker);
            }
            if (!baseline.second().header(marker).equals(java.util.Optional.of("true"))) {
                return Verdict.finding("the retry has no " + marker + ": true");
            }
        }
        for (HeaderLine line : dialect(probe).resultHeaders) {
            String value = line.value().replace("{key}", baseline.key());
            for (TrialResponse reply : List.of(baseline.first(), baseline.second())) {
                if (!Objects.equals(reply.header(line.name()).orElse(null), value)) {
                    return Verdict.finding(reply.brief() + " without " + line.name() + ": " + line.value());
                }
            }
        }
        return Verdict.passed("the headers that the API promises");
    }

    private static Verdict tooLong(Probe probe) {
        int length = dialect(probe).maxKeyLength + 1;
        String key = probe.newKey();
        TrialResponse reply = probe.send(probe.request().key("k".repeat(Math.max(0, length - key.length())) + key));
        return reply.refused() ? Verdict.passed(reply.brief()) : Verdict.finding(reply.brief());
    }
}
