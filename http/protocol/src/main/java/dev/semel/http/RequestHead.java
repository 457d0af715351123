package dev.semel.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the protocol needs to know about a request before its body. */
public final class RequestHead {

    private final String method;
    private final String path;
    private final @Nullable String query;
    private final HeaderLines headers;

    private RequestHead(String method, String path, @Nullable String query, HeaderLines headers) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.headers = headers;
    }

    /**
     * The head of a request.
     *
     * @param path the path as it was sent, not decoded, without the query
     * @param query the query as it was sent, without the question mark; {@code null} if there is none
     */
    public static RequestHead of(String method, String path, @Nullable String query, HeaderLines headers) {
        return new RequestHead(method, path, query, headers);
    }

    public String method() {
        return method;
    }

    /** The path as it was sent, not decoded, without the query. */
    public String path() {
        return path;
    }

    /** The query as it was sent, without the question mark; {@code null} if there is none. */
    public @Nullable String query() {
        return query;
    }

    public HeaderLines headers() {
        return headers;
    }

    /** The first field line of this name. */
    @Nullable
    String header(String name) {
        List<String> lines = headers.lines(name);
        return lines.isEmpty() ? null : lines.get(0);
    }
}
