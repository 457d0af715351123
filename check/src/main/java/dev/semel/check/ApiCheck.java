package dev.semel.check;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A check of one operation of an API, case by case. */
public final class ApiCheck {

    private final CheckTarget target;
    private final List<CheckCase> cases;
    private final int requests;
    private final TrialSender sender;
    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private @Nullable Baseline baseline;

    private ApiCheck(CheckTarget target) {
        this.target = target;
        this.cases = Cases.ALL.stream().filter(target::selects).toList();
        this.requests = Baseline.REQUESTS
                + cases.stream()
                        .mapToInt(checkCase -> checkCase.requests(target))
                        .sum();
        this.sender = new TrialSender(target.timeout, requests);
    }

    public static ApiCheck of(CheckTarget target) {
        return new ApiCheck(target);
    }

    /** The cases that will be tried, in their order. */
    public List<CheckCase> cases() {
        return cases;
    }

    /** The most requests that will be sent. */
    public int requests() {
        return requests;
    }

    /** How many of the cases will be skipped, because the target lacks what they need. */
    public long skipped() {
        return cases.stream()
                .filter(checkCase -> checkCase.missing(target) != null)
                .count();
    }

    /**
     * Runs all cases.
     *
     * @throws CannotRunException if the API cannot be checked
     */
    public CheckReport run(Consumer<CaseResult> progress) throws InterruptedException {
        Instant startedAt = Instant.now();
        baseline();
        List<CaseResult> results = new ArrayList<>();
        for (CheckCase checkCase : cases) {
            CaseResult result = run(checkCase);
            results.add(result);
            progress.accept(result);
        }
        return new CheckReport(
                URI.create(Secrets.url(target.uri.toString())),
                target.method,
                startedAt,
                Duration.between(startedAt, Instant.now()),
                requests,
                sender.sent(),
                results);
    }

    /** Runs one case, once. */
    public CaseResult run(CheckCase checkCase) throws InterruptedException {
        String missing = checkCase.missing(target);
        if (missing != null) {
            return new CaseResult(checkCase, Verdict.skipped("needs " + missing), Duration.ZERO, List.of());
        }
        long start = System.nanoTime();
        Probe probe = probe(checkCase.id());
        Verdict verdict = checkCase.judge(probe);
        return new CaseResult(checkCase, verdict, Duration.ofNanos(System.nanoTime() - start), probe.exchanges());
    }

    private Probe probe(String name) {
        return new Probe(target, sender, "semel-check-" + run + "-" + name, this::baseline);
    }

    private Baseline baseline() {
        Baseline known = baseline;
        if (known == null) {
            known = Baseline.of(probe("P0"));
            baseline = known;
        }
        return known;
    }
}
