package dev.semel.torture.door;

import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the gateway: it reads statuses, problems and the headers of the protocol, and nothing else. */
final class GatewayClient implements ClientSide {

    private static final Pattern PROBLEM = Pattern.compile("urn:semel:problem:([a-z-]+)");

    private static final Map<String, Kind> KINDS = Map.of(
            "in-flight", Kind.IN_FLIGHT,
            "outcome-unknown", Kind.UNKNOWN,
            "key-reused", Kind.MISMATCH,
            "key-expired", Kind.EXPIRED,
            "not-executed", Kind.NOT_APPLIED,
            "upstream-unreachable", Kind.NOT_APPLIED,
            "caller-over-limit", Kind.NOT_STARTED);

    @Override
    public HttpRequest.Builder request(int port, ServiceRequest request) {
        String path = request.operation().name().toLowerCase(Locale.ROOT);
        return EngineClient.described(URI.create("http://127.0.0.1:" + port + "/" + path), request);
    }

    @Override
    public Kind kind(HttpResponse<byte[]> response) {
        if (response.headers().firstValue("Idempotent-Replayed").isPresent()) {
            return Kind.REPLAYED;
        }
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json")) {
            Matcher problem = PROBLEM.matcher(new String(response.body(), StandardCharsets.UTF_8));
            return problem.find() ? KINDS.getOrDefault(problem.group(1), Kind.FAILED) : Kind.FAILED;
        }
        if (response.statusCode() == DyingUpstream.REFUSED) {
            return Kind.NOT_APPLIED;
        }
        // The gateway says until when it repeats an answer, if it has stored it.
        return response.headers().firstValue("Idempotency-Expires").isPresent()
                ? Kind.EXECUTED
                : Kind.EXECUTED_UNSETTLED;
    }
}
