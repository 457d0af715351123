package dev.semel.spring.test;

import java.util.List;
import java.util.stream.Collectors;

/** What crashes at each point have led to. */
public final class CrashReport {

    private final List<CrashResult> results;

    CrashReport(List<CrashResult> results) {
        this.results = List.copyOf(results);
    }

    /** One for each point, in the order in which a request passes them. */
    public List<CrashResult> results() {
        return results;
    }

    /** Those where the client could not rely on its answer. */
    public List<CrashResult> unsafe() {
        return results.stream().filter(result -> !result.verdict().isSafe()).toList();
    }

    /**
     * Fails unless no effect happened twice, and the client knows at every point what happened, or that this is unknown.
     *
     * @throws AssertionError with the whole report
     */
    public CrashReport requireSafe() {
        if (!unsafe().isEmpty() || results.stream().noneMatch(CrashResult::crashed)) {
            throw new AssertionError(this);
        }
        return this;
    }

    /** Like {@link #requireSafe}, and no outcome may be unknown. */
    public CrashReport requireOnce() {
        requireSafe();
        if (results.stream().anyMatch(result -> result.verdict() != CrashVerdict.ONCE)) {
            throw new AssertionError(this);
        }
        return this;
    }

    @Override
    public String toString() {
        return "crashed at " + results.stream().filter(CrashResult::crashed).count() + " of " + results.size()
                + " points, unsafe at " + unsafe().size() + ":\n"
                + results.stream().map(CrashResult::toString).collect(Collectors.joining("\n"));
    }
}
