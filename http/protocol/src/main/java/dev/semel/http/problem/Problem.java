package dev.semel.http.problem;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.http.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A problem details document (RFC 9457) under construction. */
public final class Problem {

    static final String CONTENT_TYPE = "application/problem+json";

    private final ProblemType type;
    private final Map<String, Object> members = new LinkedHashMap<>();

    private Problem(ProblemType type, String detail) {
        this.type = type;
        members.put("type", type.uri());
        members.put("title", type.title());
        members.put("status", type.status());
        members.put("detail", detail);
        members.put("outcome", type.outcome());
        members.put("retry", type.retry());
    }

    /** The answer to an error of the application that says no more than a status and, perhaps, a message. */
    public static Answer ofStatus(int status, @Nullable String detail) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "about:blank");
        members.put("status", status);
        if (detail != null) {
            members.put("detail", detail);
        }
        return answer(status, members, null);
    }

    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail);
    }

    public ProblemType type() {
        return type;
    }

    /** Adds the digest of the key, by which logs and the console name it too. */
    public Problem about(Key key) {
        return member("instance", "urn:semel:key:" + key.digest());
    }

    /** Sets a member to a string or an integer. */
    public Problem member(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** The value of a member; empty if it has none. */
    public String text(String name) {
        Object value = members.get(name);
        return value == null ? "" : value.toString();
    }

    public Answer answer() {
        return answer(type.status(), members, type);
    }

    /** The answer with another {@code type} member: the page that describes this problem. */
    public Answer answer(String page) {
        Map<String, Object> linked = new LinkedHashMap<>(members);
        linked.put("type", page);
        return answer(type.status(), linked, type);
    }

    private static Answer answer(int status, Map<String, Object> members, @Nullable ProblemType cause) {
        return Answer.of(
                status, headers(CONTENT_TYPE), JsonText.object(members).getBytes(StandardCharsets.UTF_8), cause);
    }

    /** The headers of every answer from Semel itself. */
    public static List<Header> headers(String contentType) {
        // A shared cache must not give one caller's refusal to another.
        return List.of(
                new Header("Content-Type", contentType),
                new Header("Content-Language", "en"),
                new Header("Cache-Control", "no-store"));
    }
}
