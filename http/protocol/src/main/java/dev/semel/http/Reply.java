package dev.semel.http;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The reply to the client. */
public sealed interface Reply {

    /** The handler has run for this request: send its whole response, with these headers added. */
    record Own(List<Header> extra) implements Reply {}

    /**
     * Send this answer now, while the handler runs. The handler's response is only stored.
     *
     * @param rest completes, on any thread, when the handler has ended and its outcome is stored; never fails. Keep
     *     everything that the handler needs of its request until then.
     */
    record Early(Answer answer, CompletionStage<Reply> rest) implements Reply {}

    /** Send this answer, and nothing that a handler may have written. */
    record Instead(Answer answer) implements Reply, RequestClaim {}
}
