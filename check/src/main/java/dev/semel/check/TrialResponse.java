package dev.semel.check;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The response to one request.
 *
 * @param status 0 if there was no response
 * @param failure why there was no response, or empty
 */
record TrialResponse(int status, HttpHeaders headers, byte[] body, String failure, long tookMillis) {

    private static final HttpHeaders NONE = HttpHeaders.of(Map.of(), (name, value) -> true);
    private static final List<String> MARKERS = List.of("X-Idempotency-Replayed", "Idempotent-Replayed");
    private static final Set<Integer> TURNED_AWAY = Set.of(401, 403, 404, 429);

    static TrialResponse none(String failure, long tookMillis) {
        return new TrialResponse(0, NONE, new byte[0], failure, tookMillis);
    }

    boolean answered() {
        return status != 0;
    }

    boolean succeeded() {
        return status >= 200 && status < 300 && !isPending();
    }

    /** Whether the request was refused for its content. */
    boolean refused() {
        return status >= 400 && status < 500 && !turnedAway();
    }

    /**
     * Whether the request was refused independently of its key: because of the caller, the address, or a rate limit.
     */
    boolean turnedAway() {
        return TURNED_AWAY.contains(status);
    }

    /** 202 for a duplicate whose first request is still running, not as the answer of the application itself. */
    boolean isPending() {
        return status == 202 && headers.firstValue("Location").isPresent() && text().contains("pending");
    }

    boolean marked() {
        return MARKERS.stream()
                .anyMatch(name -> headers.firstValue(name)
                        .filter(value -> value.equalsIgnoreCase("true"))
                        .isPresent());
    }

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    boolean sameAs(TrialResponse other) {
        return status == other.status && Arrays.equals(body, other.body);
    }

    /** In a few words, for people. */
    String brief() {
        if (!answered()) {
            return failure;
        }
        return status
                + (marked() ? " (replayed)" : "")
                + (body.length == 0 ? ", no body" : ", " + body.length + " bytes");
    }
}
