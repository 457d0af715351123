package dev.semel.http.openapi;

import dev.semel.Header;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes the rules of an operation to its clients, for an OpenAPI document.
 *
 * @param dialect the dialect of the operation
 * @param parameters where a client can send the key
 * @param headers the headers that responses of the operation may have, with their descriptions
 * @param problems the causes of answers that Semel itself gives, by status
 * @param accepted whether a client can get 202 and the address of the outcome
 */
public record RulesDescription(
        Dialect dialect,
        List<Parameter> parameters,
        SortedMap<String, String> headers,
        SortedMap<Integer, List<ProblemType>> problems,
        boolean accepted) {

    /** The media type of problems. */
    public static final String PROBLEM = "application/problem+json";

    /** The name of the schema of problems among the components of a document. */
    public static final String PROBLEM_SCHEMA = "SemelProblem";

    public RulesDescription {
        parameters = List.copyOf(parameters);
        headers = new TreeMap<>(headers);
        problems = new TreeMap<>(problems);
    }

    /**
     * A place where a client can send the key.
     *
     * @param in {@code header} or {@code query}
     * @param format a format of JSON Schema, such as {@code uuid}; {@code null} if keys have none
     */
    public record Parameter(
            String name,
            String in,
            boolean required,
            String description,
            int maxLength,
            @Nullable String format) {}

    /**
     * Describes the standard rules, together with the given parameters.
     *
     * @param publishesExpiry whether responses say until when their key replays
     */
    public static RulesDescription of(
            Dialect dialect, List<Parameter> parameters, boolean publishesExpiry, boolean accepted) {
        SortedMap<String, String> headers = new TreeMap<>();
        for (Header result : dialect.resultHeaders()) {
            headers.put(
                    result.name(),
                    result.value().contains("{key}")
                            ? "The key of the request."
                            : result.value() + " if the request is answered with the outcome of its key.");
        }
        for (Header marker : dialect.markers()) {
            headers.put(marker.name(), "true if this is the stored response of an earlier request with the same key.");
        }
        if (publishesExpiry) {
            headers.put("Idempotency-Expires", "Until when the key replays, as an HTTP date.");
        }
        return new RulesDescription(dialect, parameters, headers, new TreeMap<>(), accepted)
                .and(
                        ProblemType.KEY_INVALID,
                        ProblemType.CALLER_UNKNOWN,
                        ProblemType.IN_FLIGHT,
                        ProblemType.OUTCOME_UNKNOWN,
                        ProblemType.RESPONSE_NOT_RETAINED,
                        ProblemType.REQUEST_TOO_LARGE,
                        ProblemType.KEY_REUSED,
                        ProblemType.OPERATION_FAILED,
                        ProblemType.NOT_EXECUTED,
                        ProblemType.STORE_UNAVAILABLE);
    }

    /** The same, with more causes. */
    public RulesDescription and(ProblemType... more) {
        SortedMap<Integer, List<ProblemType>> all = new TreeMap<>();
        Stream.concat(problems.values().stream().flatMap(List::stream), Stream.of(more))
                .forEach(cause -> all.computeIfAbsent(dialect.status(cause), first -> new ArrayList<>())
                        .add(cause));
        return new RulesDescription(dialect, parameters, headers, all, accepted);
    }

    /** The description of a response with this status, in one line. */
    public String description(int status) {
        return String.join("; ", causes(status).stream().map(ProblemType::title).toList());
    }

    /** The bodies of a response with this status: by media type, one for each cause, as JSON. */
    public SortedMap<String, SortedMap<String, String>> bodies(int status) {
        SortedMap<String, SortedMap<String, String>> bodies = new TreeMap<>();
        for (ProblemType cause : causes(status)) {
            Answer answer = dialect.answer(Problem.of(cause, cause.title() + "."));
            String mediaType = answer.headers().stream()
                    .filter(header -> header.name().equals("Content-Type"))
                    .map(Header::value)
                    .findFirst()
                    .orElse(PROBLEM);
            bodies.computeIfAbsent(mediaType, first -> new TreeMap<>())
                    .put(cause.slug(), new String(answer.body(), StandardCharsets.UTF_8));
        }
        return bodies;
    }

    private List<ProblemType> causes(int status) {
        return problems.getOrDefault(status, List.of());
    }

    /** The members of a problem document, with their descriptions. */
    public static Map<String, String> problemMembers() {
        return new TreeMap<>(Map.of(
                "type", "What happened: one stable URI per cause.",
                "title", "What happened, for people.",
                "detail", "What happened to this request, and what to do.",
                "outcome",
                        "What is known of the operation that the key names: not-applied, pending, applied or unknown.",
                "retry", "What a client may do: same-key, new-key or never."));
    }
}
