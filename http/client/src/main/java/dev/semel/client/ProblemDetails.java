package dev.semel.client;

import dev.semel.client.response.JsonMembers;
import java.util.Map;
import java.util.Optional;

/** A problem details document from a server (RFC 9457). A member that it lacks is empty. */
public final class ProblemDetails {

    private final Map<String, String> members;

    private ProblemDetails(Map<String, String> members) {
        this.members = members;
    }

    /** Reads the members out of a JSON object; empty if the text is no object, or has no member that is a string. */
    static Optional<ProblemDetails> read(byte[] body) {
        Map<String, String> members = JsonMembers.read(body);
        return members.isEmpty() ? Optional.empty() : Optional.of(new ProblemDetails(members));
    }

    public String type() {
        return member("type");
    }

    public String title() {
        return member("title");
    }

    public String detail() {
        return member("detail");
    }

    /** What is known of the operation: {@code not-applied}, {@code pending}, {@code applied} or {@code unknown}. */
    public String outcome() {
        return member("outcome");
    }

    /** What a client may do: {@code same-key}, {@code new-key} or {@code never}. */
    public String retry() {
        return member("retry");
    }

    private String member(String name) {
        return members.getOrDefault(name, "");
    }

    @Override
    public String toString() {
        return type() + ": " + title();
    }
}
