package dev.semel.http;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.Replays;
import dev.semel.http.stored.Redaction;
import java.util.ArrayList;
import java.util.List;

/** Converts a response to its stored form. */
final class ResponseCodec implements OutcomeCodec<HandlerResponse> {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final int FIRST_ERROR = 400;

    private final ReplayHeaders replayHeaders;
    private final Redaction redaction;
    private final Replays replays;

    ResponseCodec(ReplayHeaders replayHeaders, Redaction redaction, Replays replays) {
        this.replayHeaders = replayHeaders;
        this.redaction = redaction;
        this.replays = replays;
    }

    @Override
    public Outcome encode(HandlerResponse response) {
        List<Header> kept = new ArrayList<>();
        byte[] body = response.body();
        Outcome.Builder outcome = response.status() < FIRST_ERROR ? Outcome.succeeded() : Outcome.failed();
        for (Header header : replayHeaders.of(response.headers())) {
            if (header.name().equalsIgnoreCase(CONTENT_TYPE)) {
                outcome.contentType(header.value());
            } else if (redaction.keeps(header.name())) {
                kept.add(header);
            }
        }
        return outcome.status(response.status())
                .headers(kept)
                .payload(body == null ? null : redaction.body(response.headers(), body))
                .build();
    }

    @Override
    public Outcome encodeFailure(Throwable failure) {
        Answer answer = failed(replays.dialect());
        return encode(HandlerResponse.of(answer.status(), answer.headers(), answer.body()));
    }

    @Override
    public HandlerResponse decode(Outcome outcome) {
        Answer answer = replays.answer(outcome, "");
        return HandlerResponse.of(answer.status(), answer.headers(), answer.body());
    }

    /**
     * The response after an exception of the handler. It never contains the exception's message, which may be anything.
     */
    static Answer failed(Dialect dialect) {
        return dialect.answer(Problem.of(
                ProblemType.OPERATION_FAILED,
                "The operation failed with an unexpected error. It may have had effects, so it is not run again under"
                        + " this key."));
    }
}
