package dev.semel.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, as the protocol needs it.
 *
 * @param path the path as it was sent, not decoded, without the query
 * @param query the query as it was sent, without the question mark
 */
public record RequestHead(
        String method, String path, @Nullable String query, HeaderLines headers) {

    /** The first field line of this name. */
    @Nullable
    String header(String name) {
        List<String> lines = headers.lines(name);
        return lines.isEmpty() ? null : lines.get(0);
    }
}
