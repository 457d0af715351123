package dev.semel.check;

/** The verdict of a case about an API. */
record Verdict(CaseResult.State state, String seen) {

    static Verdict passed(String seen) {
        return new Verdict(CaseResult.State.PASSED, seen);
    }

    static Verdict finding(String seen) {
        return new Verdict(CaseResult.State.FINDING, seen);
    }

    static Verdict skipped(String why) {
        return new Verdict(CaseResult.State.SKIPPED, why);
    }
}
