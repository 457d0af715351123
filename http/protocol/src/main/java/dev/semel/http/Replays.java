package dev.semel.http;

import dev.semel.Header;
import dev.semel.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Makes the answer to a later request from what was stored of the first one's response. */
record Replays(String marker) {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final int OK = 200;

    Answer answer(Outcome outcome) {
        byte[] payload = outcome.payload();
        if (payload == null) {
            return marked(notRetained(outcome));
        }
        if (outcome.status() == Outcome.NO_STATUS && !outcome.isSuccess()) {
            // Settled by the recovery, or by hand, and not by a response.
            return marked(Problem.of(
                            ProblemType.OPERATION_FAILED,
                            "The operation was settled as failed without a response of its own.")
                    .answer());
        }
        List<Header> headers = new ArrayList<>();
        if (outcome.contentType() != null) {
            headers.add(new Header(CONTENT_TYPE, outcome.contentType()));
        }
        for (Header header : replayable(outcome)) {
            boolean secondType = header.name().equalsIgnoreCase(CONTENT_TYPE)
                    && headers.stream().anyMatch(earlier -> earlier.name().equalsIgnoreCase(CONTENT_TYPE));
            if (!secondType) {
                headers.add(header);
            }
        }
        int status = outcome.status() == Outcome.NO_STATUS ? OK : outcome.status();
        return marked(new Answer(status, headers, payload));
    }

    private static Answer notRetained(Outcome outcome) {
        Problem problem = Problem.of(
                        ProblemType.RESPONSE_NOT_RETAINED,
                        "The operation has ended with status " + outcome.status()
                                + ", but its response was not kept. Nothing was run again.")
                .member("originalStatus", outcome.status());
        if (!outcome.isSuccess()) {
            problem.member("outcome", "unknown");
        }
        // What describes the lost body would be wrong for this one.
        List<Header> about = replayable(outcome).stream()
                .filter(header -> !header.name().regionMatches(true, 0, "Content-", 0, "Content-".length()))
                .filter(header -> !header.name().equalsIgnoreCase("Cache-Control"))
                .toList();
        return problem.answer().with(about);
    }

    /** What a reconciler or an operator has settled a key with was not chosen by the rules. */
    private static List<Header> replayable(Outcome outcome) {
        return outcome.headers().stream()
                .filter(header -> ReplayHeaders.mayReplay(header.name()))
                .toList();
    }

    private Answer marked(Answer answer) {
        return answer.with(marker, "true");
    }
}
