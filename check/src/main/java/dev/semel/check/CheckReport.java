package dev.semel.check;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The results of a check.
 *
 * @param sent how many requests were sent
 * @param announced the announced maximum of requests
 */
public record CheckReport(
        URI uri, String method, Instant startedAt, Duration took, int announced, int sent, List<CaseResult> results) {

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
