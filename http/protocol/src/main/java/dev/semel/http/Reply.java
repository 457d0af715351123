package dev.semel.http;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What goes back to the client. */
public sealed interface Reply {

    /** The handler has run for this request: its own, whole response goes out, and these headers with it. */
    record Own(List<Header> extra) implements Reply {}

    /**
     * This goes out now, while the handler runs: its response goes nowhere but into the store.
     *
     * @param rest completes, on any thread, when the handler has ended and its outcome is stored; never fails. Whatever the
     *     handler needs of its request must stay until then.
     */
    record Early(Answer answer, CompletionStage<Reply> rest) implements Reply {}

    /** This goes out, and nothing of what a handler may have written. */
    record Instead(Answer answer) implements Reply, RequestClaim {}
}
