package dev.semel.gateway.proxy;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.gateway.config.Route;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The path of a request: whatever a service takes for a guarded path, is guarded, and none leaves the base path. */
public final class PathFuzz {

    private PathFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String path = new String(input, StandardCharsets.ISO_8859_1);
        HttpServerRequest request = SeenRequest.of(
                HttpVersion.HTTP_1_1,
                "POST",
                path,
                "shop",
                HttpHeaders.headers().add("Host", "shop"));
        RequestTarget target = RequestTarget.of(request);
        Route route = target == null ? null : ProxyHandler.routeOf(Forwarding.CONFIG.routes(), target.path());
        if (target == null || route == null) {
            return;
        }
        for (String read : readings(Forwarding.BASE + target.path())) {
            List<String> segments = segments(read);
            require(!segments.isEmpty() && segments.get(0).equals("api"), "stays below the base path", path);
            boolean charges = segments.size() > 1 && segments.get(1).equals("charges");
            require(!charges || Forwarding.isCharge(route), "a service reads a guarded path", path + " as " + read);
        }
    }

    /** What services make of a path: they decode it or not, once or twice, and drop parameters before, after or never. */
    private static List<String> readings(String path) {
        String once = decoded(path);
        return List.of(
                path,
                once,
                decoded(once),
                withoutParameters(path),
                withoutParameters(once),
                decoded(withoutParameters(path)),
                withoutParameters(decoded(withoutParameters(path))),
                once.replace('\\', '/'),
                decoded(withoutParameters(path)).replace('\\', '/'));
    }

    private static String withoutParameters(String path) {
        StringBuilder kept = new StringBuilder();
        boolean parameters = false;
        for (char c : path.toCharArray()) {
            parameters = c == ';' || (parameters && c != '/');
            if (!parameters) {
                kept.append(c);
            }
        }
        return kept.toString();
    }

    /** Escapes that are none stay, as many services let them. */
    private static String decoded(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (text.charAt(i) == '%' && high >= 0 && low >= 0) {
                plain.append((char) (high * 16 + low));
                i += 2;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private static List<String> segments(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("/")) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return List.copyOf(segments);
    }
}
