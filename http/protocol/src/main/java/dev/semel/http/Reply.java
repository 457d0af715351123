package dev.semel.http;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import java.util.List;

/** What goes back to the client. */
public sealed interface Reply {

    /** The handler has run for this request: its own, whole response goes out, and these headers with it. */
    record Own(List<Header> extra) implements Reply {}

    /** This goes out, and nothing of what a handler may have written. */
    record Instead(Answer answer) implements Reply, RequestClaim {}
}
