package dev.semel.torture.door;

import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the gateway or of a filter: it reads statuses, problems and the headers of the protocol, and nothing else. */
class ProtocolClient extends HttpSide {

    private static final Pattern PROBLEM = Pattern.compile("urn:semel:problem:([a-z-]+)");

    private static final Map<String, Kind> KINDS = Map.of(
            "in-flight", Kind.IN_FLIGHT,
            "outcome-unknown", Kind.UNKNOWN,
            "key-reused", Kind.MISMATCH,
            "key-expired", Kind.EXPIRED,
            "not-executed", Kind.NOT_APPLIED,
            "upstream-unreachable", Kind.NOT_APPLIED,
            "caller-over-limit", Kind.NOT_STARTED);

    ProtocolClient(HttpClient http) {
        super(http);
    }

    @Override
    String path(ServiceRequest request) {
        return "/" + request.operation().name().toLowerCase(Locale.ROOT);
    }

    @Override
    Kind kind(HttpResponse<byte[]> response) {
        if (response.headers().firstValue("Idempotent-Replayed").isPresent()) {
            return Kind.REPLAYED;
        }
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json")) {
            String body = new String(response.body(), StandardCharsets.UTF_8);
            Matcher problem = PROBLEM.matcher(body);
            return problem.find() && !isInterrupted(body)
                    ? KINDS.getOrDefault(problem.group(1), Kind.FAILED)
                    : Kind.FAILED;
        }
        if (response.statusCode() == DyingUpstream.REFUSED) {
            return Kind.NOT_APPLIED;
        }
        // Both say until when they repeat an answer, if they have stored it.
        if (response.headers().firstValue("Idempotency-Expires").isPresent()) {
            return Kind.EXECUTED;
        }
        // An error that is not stored may have been rolled back.
        return response.statusCode() < 500 ? Kind.EXECUTED_UNSETTLED : Kind.FAILED;
    }

    /** Whether it was the request itself that ran the operation, and does not know how it ended. */
    private static boolean isInterrupted(String problem) {
        return problem.contains("\"The operation was interrupted");
    }
}
