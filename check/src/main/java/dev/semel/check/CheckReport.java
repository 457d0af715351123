package dev.semel.check;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** What a check found. */
public final class CheckReport {

    private final URI uri;
    private final String method;
    private final Instant startedAt;
    private final Duration took;
    private final int announced;
    private final int sent;
    private final List<CaseResult> results;

    CheckReport(
            URI uri,
            String method,
            Instant startedAt,
            Duration took,
            int announced,
            int sent,
            List<CaseResult> results) {
        this.uri = uri;
        this.method = method;
        this.startedAt = startedAt;
        this.took = took;
        this.announced = announced;
        this.sent = sent;
        this.results = List.copyOf(results);
    }

    public URI uri() {
        return uri;
    }

    public String method() {
        return method;
    }

    public Instant startedAt() {
        return startedAt;
    }

    public Duration took() {
        return took;
    }

    /** How many requests it was to send at most. */
    public int announced() {
        return announced;
    }

    /** How many requests were sent. */
    public int sent() {
        return sent;
    }

    public List<CaseResult> results() {
        return results;
    }

    /** The findings, hazards first. */
    public List<CaseResult> findings() {
        return results.stream()
                .filter(CaseResult::isFinding)
                .sorted(Comparator.comparing(result -> result.checkCase().kind()))
                .toList();
    }

    public long count(CaseResult.State state) {
        return results.stream().filter(result -> result.state() == state).count();
    }
}
