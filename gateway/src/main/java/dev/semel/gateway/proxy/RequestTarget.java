package dev.semel.gateway.proxy;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path and query of a request, both for matching rules and, byte for byte, for the service.
 *
 * @param query without its question mark
 */
record RequestTarget(String path, @Nullable String query) {

    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    /** The target of a request, or {@code null} if it has none that HTTP allows. */
    static @Nullable RequestTarget of(HttpServerRequest request) {
        String uri = request.uri();
        if (uri == null || !isVisibleAscii(uri) || uri.indexOf('#') >= 0) {
            return null;
        }
        if (uri.equals("*")) {
            return request.method().equals(HttpMethod.OPTIONS) ? new RequestTarget(uri, null) : null;
        }
        String target = uri.startsWith("/") ? uri : originForm(uri);
        if (target == null) {
            return null;
        }
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        // Nearly every service takes several slashes for one; so that all do, they get one.
        return new RequestTarget(
                SLASHES.matcher(path).replaceAll("/"), question < 0 ? null : target.substring(question + 1));
    }

    /** What follows the host of a request that was made as to a forward proxy; {@code null} if it is none. */
    private static @Nullable String originForm(String uri) {
        String lower = uri.toLowerCase(Locale.ROOT);
        int host = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
        if (host < 0) {
            return null;
        }
        int end = host;
        while (end < uri.length() && uri.charAt(end) != '/' && uri.charAt(end) != '?') {
            end++;
        }
        String rest = uri.substring(end);
        return end == host ? null : rest.startsWith("/") ? rest : "/" + rest;
    }

    private static boolean isVisibleAscii(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** The same below a base path. What asks about the whole server asks about the base path: it is all there is. */
    String below(String basePath) {
        return path.equals("*") && !basePath.isEmpty() ? basePath : basePath + this;
    }

    /** The target as it is written in a request line. */
    @Override
    public String toString() {
        return query == null ? path : path + "?" + query;
    }
}
