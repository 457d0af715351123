package dev.semel.client;

import dev.semel.client.response.JsonMembers;
import java.util.Map;
import java.util.Optional;

/**
 * A problem details document from a server (RFC 9457).
 *
 * @param outcome what is known about the operation: {@code not-applied}, {@code pending}, {@code applied}, {@code
 *     unknown}, or empty
 * @param retry what a client may do: {@code same-key}, {@code new-key}, {@code never}, or empty
 */
public record ProblemDetails(String type, String title, String detail, String outcome, String retry) {

    /** Reads the members out of a JSON object; empty if the text is not an object, or has neither of the members. */
    static Optional<ProblemDetails> read(byte[] body) {
        Map<String, String> members = JsonMembers.read(body);
        if (members.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ProblemDetails(
                members.getOrDefault("type", ""),
                members.getOrDefault("title", ""),
                members.getOrDefault("detail", ""),
                members.getOrDefault("outcome", ""),
                members.getOrDefault("retry", "")));
    }
}
