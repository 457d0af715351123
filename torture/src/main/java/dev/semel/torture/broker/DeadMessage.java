package dev.semel.torture.broker;

import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.util.Map;
import java.util.Objects;

/** A message that a consumer has sent to the dead letters, with the headers that say why. */
public record DeadMessage(Map<String, String> headers, byte[] body) {

    /** The message as it was sent. */
    public ServiceRequest request() {
        return ServiceRequest.read(this::header, body);
    }

    /** What that means to the one who sent it. */
    public ServiceReply reply() {
        String reason = header("semel-reason");
        return switch (reason) {
            case "FAILED" -> StoredEnd.failed(request(), header("semel-message"));
            case "MISMATCHED" -> ServiceReply.of(Kind.MISMATCH);
            case "UNKNOWN" -> ServiceReply.of(Kind.UNKNOWN);
            default -> throw new IllegalStateException("a message that can be read is dead for the reason " + reason);
        };
    }

    private String header(String name) {
        return Objects.requireNonNull(headers.get(name), name);
    }
}
