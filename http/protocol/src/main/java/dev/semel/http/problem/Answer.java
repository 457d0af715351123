package dev.semel.http.problem;

import dev.semel.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete response that an adapter writes unchanged. The body's length is for the adapter to announce.
 *
 * @param body not a copy: it must not be changed
 * @param cause the cause of an answer that is not the application's own, for adapters to protocols with statuses of their
 *     own; {@code null} for the replay of a response
 */
public record Answer(
        int status,
        List<Header> headers,
        byte[] body,
        @Nullable ProblemType cause) {

    public Answer {
        headers = List.copyOf(headers);
    }

    public Answer(int status, List<Header> headers, byte[] body) {
        this(status, headers, body, null);
    }

    /** The same answer with one more header. */
    public Answer with(String name, String value) {
        return with(List.of(new Header(name, value)));
    }

    /** The same answer with another body. */
    public Answer withBody(byte[] other) {
        return new Answer(status, headers, other, cause);
    }

    public Answer with(List<Header> more) {
        List<Header> all = new ArrayList<>(headers);
        all.addAll(more);
        return new Answer(status, all, body, cause);
    }
}
