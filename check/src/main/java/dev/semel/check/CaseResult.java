package dev.semel.check;

import java.time.Duration;
import java.util.List;

/** The result of one case. */
public final class CaseResult {

    private final CheckCase checkCase;
    private final Verdict verdict;
    private final Duration took;
    private final List<String> exchanges;

    /** The status of a case. */
    public enum State {
        PASSED,
        FINDING,
        SKIPPED
    }

    CaseResult(CheckCase checkCase, Verdict verdict, Duration took, List<String> exchanges) {
        this.checkCase = checkCase;
        this.verdict = verdict;
        this.took = took;
        this.exchanges = exchanges;
    }

    public CheckCase checkCase() {
        return checkCase;
    }

    public State state() {
        return verdict.state();
    }

    /** What the API did, or why the case was skipped. */
    public String seen() {
        return verdict.seen();
    }

    public Duration took() {
        return took;
    }

    /** What was sent and answered, one line each, without credentials. */
    public List<String> exchanges() {
        return exchanges;
    }

    public boolean isFinding() {
        return state() == State.FINDING;
    }

    @Override
    public String toString() {
        return checkCase.id() + " " + state() + ": " + seen();
    }
}
