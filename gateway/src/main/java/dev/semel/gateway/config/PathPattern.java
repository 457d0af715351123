package dev.semel.gateway.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The paths of a route: {@code *} stands for one segment, {@code **} at the end for any rest.
 *
 * <p>Paths are compared in the ways in which services read them ({@link PathReadings}). A client must not leave a route by
 * spelling its path differently.
 */
public record PathPattern(String text, List<String> segments, boolean open) {

    static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash, got \"" + text + "\"");
        }
        List<List<String>> readings = PathReadings.of(text);
        if (readings.isEmpty()) {
            throw new IllegalArgumentException("this path can be read in more than one way: \"" + text + "\"");
        }
        List<String> segments = new ArrayList<>(readings.get(0));
        boolean open = !segments.isEmpty() && segments.get(segments.size() - 1).equals("**");
        if (open) {
            segments.remove(segments.size() - 1);
        }
        if (segments.contains("**")) {
            throw new IllegalArgumentException("** can only be the last segment of a path, got \"" + text + "\"");
        }
        return new PathPattern(text, List.copyOf(segments), open);
    }

    /** Whether a path, in one of its readings, is one of these. */
    public boolean matches(List<String> path) {
        return matches(path, false);
    }

    /** Whether every path of the other pattern is also one of these. */
    boolean covers(PathPattern other) {
        return matches(other.segments, other.open);
    }

    private boolean matches(List<String> others, boolean othersOpen) {
        if (others.size() < segments.size() || (!open && (othersOpen || others.size() > segments.size()))) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).equals("*") && !segments.get(i).equals(others.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text;
    }
}
