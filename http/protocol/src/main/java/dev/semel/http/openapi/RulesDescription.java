package dev.semel.http.openapi;

import dev.semel.http.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of an operation mean to its clients, for a description of the API in OpenAPI.
 *
 * @param parameters where a client can send the key
 * @param headers those that responses of the operation may have, with what they say
 * @param problems the causes of answers that are not the application's own, by status
 * @param accepted whether a client can be answered with 202, and asks elsewhere for the outcome
 */
public record RulesDescription(
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
     * Where a client can send the key.
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
     * What all rules mean, and these.
     *
     * @param marker the header that marks a replay
     * @param publishesExpiry whether responses say until when their key replays
     */
    public static RulesDescription of(
            List<Parameter> parameters, String marker, boolean publishesExpiry, boolean accepted) {
        SortedMap<String, String> headers = new TreeMap<>();
        headers.put(marker, "true if this is the stored response of an earlier request with the same key.");
        if (publishesExpiry) {
            headers.put("Idempotency-Expires", "Until when the key replays, as an HTTP date.");
        }
        return new RulesDescription(parameters, headers, new TreeMap<>(), accepted)
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
                .forEach(cause -> all.computeIfAbsent(cause.status(), first -> new ArrayList<>())
                        .add(cause));
        return new RulesDescription(parameters, headers, all, accepted);
    }

    /** What a response with a status says, in one line. */
    public String description(int status) {
        return String.join(
                "; ",
                problems.getOrDefault(status, List.of()).stream()
                        .map(ProblemType::title)
                        .toList());
    }

    /** The members of a problem document, each with what it says. */
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
