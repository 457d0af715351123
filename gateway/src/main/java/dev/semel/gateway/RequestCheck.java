package dev.semel.gateway;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a service may read differently than the gateway does, before a key is claimed or a connection
 * taken. HTTP/2 can carry what HTTP/1.1 cannot say.
 */
final class RequestCheck {

    /** A method is case-sensitive, but some services are not: {@code post} would pass unguarded, and run. */
    private static final Pattern METHOD = Pattern.compile("[A-Z0-9!#$%&'*+.^_`|~-]+");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=%\\[\\]:-]+");

    private RequestCheck() {}

    /** What is wrong with a request; {@code null} if nothing is. */
    static @Nullable String complaintOf(HttpServerRequest request, @Nullable RequestTarget target) {
        if (!METHOD.matcher(request.method().name()).matches()) {
            return "The method of this request is not one: methods are written in upper case.";
        }
        if (target == null) {
            return "The target of this request is not a path.";
        }
        return hasOneHost(request) ? null : "A request names one host.";
    }

    private static boolean hasOneHost(HttpServerRequest request) {
        List<String> lines = request.headers().getAll("Host");
        if (request.version() == HttpVersion.HTTP_2) {
            HostAndPort authority = request.authority();
            return authority != null
                    && HOST.matcher(authority.toString()).matches()
                    && lines.stream().allMatch(line -> line.equalsIgnoreCase(authority.toString()));
        }
        return (request.version() == HttpVersion.HTTP_1_0 && lines.isEmpty())
                || (lines.size() == 1 && HOST.matcher(lines.get(0)).matches());
    }
}
