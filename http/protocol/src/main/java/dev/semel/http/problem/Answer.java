package dev.semel.http.problem;

import dev.semel.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A complete response that an adapter writes unchanged. The adapter adds the length of the body. */
public final class Answer {

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable ProblemType cause;

    private Answer(int status, List<Header> headers, byte[] body, @Nullable ProblemType cause) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.cause = cause;
    }

    /** An answer without a cause: from the application, or not an error. */
    public static Answer of(int status, List<Header> headers, byte[] body) {
        return of(status, headers, body, null);
    }

    public static Answer of(int status, List<Header> headers, byte[] body, @Nullable ProblemType cause) {
        return new Answer(status, headers, body, cause);
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    /** The body itself, not a copy: it must not be changed. */
    public byte[] body() {
        return body;
    }

    /**
     * The cause of an answer from Semel, for adapters to protocols with other statuses; {@code null} for the replay of
     * a response.
     */
    public @Nullable ProblemType cause() {
        return cause;
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

    /** Shows neither the headers nor the body. */
    @Override
    public String toString() {
        return "status " + status + ", " + body.length + " bytes";
    }
}
