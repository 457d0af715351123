package dev.semel.http.replay;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Turns a stored response into the answer to a later request. */
public record Replays(Dialect dialect) {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final int OK = 200;

    private static final Set<String> NEVER = Set.of(
            // of another session
            "set-cookie",
            "set-cookie2",
            // hop by hop, or new for each message
            "connection",
            "content-length",
            "keep-alive",
            "proxy-authenticate",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via",
            // of another moment
            "age",
            "date",
            "retry-after",
            // of another trace
            "b3",
            "baggage",
            "server-timing",
            "traceparent",
            "traceresponse",
            "tracestate",
            "x-correlation-id",
            "x-request-id");

    /** Whether a header of this name may be replayed at all. */
    public static boolean mayReplay(String name) {
        return !NEVER.contains(name.toLowerCase(Locale.ROOT));
    }

    /** @param key the value of the key, which some dialects repeat */
    public Answer answer(Outcome outcome, String key) {
        return content(outcome).with(dialect.ofReplay(key));
    }

    private Answer content(Outcome outcome) {
        byte[] payload = outcome.payload();
        if (payload == null) {
            return notRetained(outcome);
        }
        if (outcome.status() == Outcome.NO_STATUS && !outcome.isSuccess()) {
            // Settled by the recovery, or by hand, and not by a response.
            return dialect.answer(Problem.of(
                    ProblemType.OPERATION_FAILED, "The operation was settled as failed without a response."));
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
        return Answer.of(status, headers, payload);
    }

    private Answer notRetained(Outcome outcome) {
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
        return dialect.answer(problem).with(about);
    }

    /** What a reconciler or an operator has settled a key with was not chosen by the rules. */
    private static List<Header> replayable(Outcome outcome) {
        return outcome.headers().stream()
                .filter(header -> mayReplay(header.name()))
                .toList();
    }
}
