package dev.semel.torture.server;

import dev.semel.Key;
import java.util.HashMap;
import java.util.Map;

/** Keys that cannot have effects any more: not of requests up to a number, or not from a moment on. */
final class ClosedKeys {

    private final Map<Key, Long> lastRequests = new HashMap<>();
    private final Map<Key, Long> ends = new HashMap<>();

    /** Closes a key for requests up to this number. */
    void close(Key key, long lastRequest) {
        lastRequests.put(key, lastRequest);
    }

    /** Closes a key for all requests when it is this late, as {@link System#nanoTime} counts. */
    void closeAt(Key key, long end) {
        ends.put(key, end);
    }

    boolean isClosed(Key key, String request) {
        Long end = ends.get(key);
        return (end != null && System.nanoTime() - end > 0) || number(request) <= lastRequests.getOrDefault(key, -1L);
    }

    /** Requests are named by their numbers, after a letter. */
    static long number(String request) {
        return Long.parseLong(request.substring(1));
    }
}
