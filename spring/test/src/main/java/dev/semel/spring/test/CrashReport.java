package dev.semel.spring.test;

import java.util.List;
import java.util.stream.Collectors;

/** The results of a crash at each point. */
public final class CrashReport {

    private final List<CrashResult> results;

    CrashReport(List<CrashResult> results) {
        this.results = List.copyOf(results);
    }

    /** One result for each point, in the order in which a request passes them. */
    public List<CrashResult> results() {
        return results;
    }

    /** The results in which the client could not rely on its answer. */
    public List<CrashResult> unsafe() {
        return results.stream().filter(result -> !result.verdict().isSafe()).toList();
    }

    /**
     * Requires that no effect happened twice, and that after every crash the client knew the outcome, or knew that it
     * is unknown.
     *
     * @throws AssertionError with the whole report
     */
    public CrashReport requireSafe() {
        if (!unsafe().isEmpty() || results.stream().noneMatch(CrashResult::crashed)) {
            throw new AssertionError(this);
        }
        return this;
    }

    /** Like {@link #requireSafe}, but an unknown outcome also fails. */
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
