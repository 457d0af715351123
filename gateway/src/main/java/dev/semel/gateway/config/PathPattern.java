package dev.semel.gateway.config;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Which paths a route is for: {@code *} stands for one segment, {@code **} at the end for any rest.
 *
 * <p>Paths are compared in the form in which most services read them: escapes decoded, dot segments resolved, double
 * slashes taken for one. A client must not leave a route by spelling its path differently.
 */
public final class PathPattern {

    private final String text;
    private final List<String> segments;
    private final boolean open;

    private PathPattern(String text, List<String> segments, boolean open) {
        this.text = text;
        this.segments = segments;
        this.open = open;
    }

    static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash, got \"" + text + "\"");
        }
        List<String> segments = new ArrayList<>(segments(text));
        boolean open = !segments.isEmpty() && segments.get(segments.size() - 1).equals("**");
        if (open) {
            segments.remove(segments.size() - 1);
        }
        if (segments.contains("**")) {
            throw new IllegalArgumentException("** can only be the last segment of a path, got \"" + text + "\"");
        }
        return new PathPattern(text, List.copyOf(segments), open);
    }

    /** Whether the path, as a client sent it, is one of these. */
    public boolean matches(List<String> path) {
        if (path.size() < segments.size() || (path.size() > segments.size() && !open)) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).equals("*") && !segments.get(i).equals(path.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether every path of the other pattern is also one of these. */
    boolean covers(PathPattern other) {
        if (other.segments.size() < segments.size()
                || (!open && (other.open || other.segments.size() > segments.size()))) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).equals("*") && !segments.get(i).equals(other.segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The segments of a path as a service would read them. */
    public static List<String> segments(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String raw : decoded(path).split("/")) {
            if (raw.equals("..")) {
                segments.pollLast();
            } else if (!raw.isEmpty() && !raw.equals(".")) {
                segments.addLast(raw);
            }
        }
        return List.copyOf(segments);
    }

    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        byte[] bytes = new byte[path.length() * 3];
        int n = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            int high = c == '%' && i + 2 < path.length() ? Character.digit(path.charAt(i + 1), 16) : -1;
            int low = high >= 0 ? Character.digit(path.charAt(i + 2), 16) : -1;
            if (low >= 0) {
                bytes[n++] = (byte) (high * 16 + low);
                i += 2;
            } else {
                for (byte b : String.valueOf(c).getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
                    bytes[n++] = b;
                }
            }
        }
        return new String(bytes, 0, n, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text;
    }
}
