package dev.semel.check;

import java.time.Duration;
import java.util.List;

/**
 * The result of one case.
 *
 * @param seen what the API did, or why the case was skipped
 * @param exchanges the requests and responses, one line each, without credentials
 */
public record CaseResult(CheckCase checkCase, State state, String seen, Duration took, List<String> exchanges) {

    /** The status of a case. */
    public enum State {
        PASSED,
        FINDING,
        SKIPPED
    }

    public boolean isFinding() {
        return state == State.FINDING;
    }
}
