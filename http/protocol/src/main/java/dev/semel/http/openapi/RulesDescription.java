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

/** What the rules of an operation mean to its clients, for a description of the API in OpenAPI. */
public final class RulesDescription {

    /** The media type of problems. */
    public static final String PROBLEM = "application/problem+json";

    /** The name of the schema of problems among the components of a document. */
    public static final String PROBLEM_SCHEMA = "SemelProblem";

    private final Dialect dialect;
    private final List<Parameter> parameters;
    private final SortedMap<String, String> headers;
    private final SortedMap<Integer, List<ProblemType>> problems;
    private final boolean accepted;

    private RulesDescription(
            Dialect dialect,
            List<Parameter> parameters,
            SortedMap<String, String> headers,
            SortedMap<Integer, List<ProblemType>> problems,
            boolean accepted) {
        this.dialect = dialect;
        this.parameters = List.copyOf(parameters);
        this.headers = headers;
        this.problems = problems;
        this.accepted = accepted;
    }

    /** Where a client can send the key. */
    public static final class Parameter {

        private final String name;
        private final String in;
        private final boolean required;
        private final int maxLength;
        private final @Nullable String format;

        private Parameter(String name, String in, boolean required, int maxLength, @Nullable String format) {
            this.name = name;
            this.in = in;
            this.required = required;
            this.maxLength = maxLength;
            this.format = format;
        }

        /**
         * A header or a parameter of the query.
         *
         * @param in {@code header} or {@code query}
         * @param format a format of JSON Schema, such as {@code uuid}; {@code null} if keys have none
         */
        public static Parameter of(String name, String in, boolean required, int maxLength, @Nullable String format) {
            return new Parameter(name, in, required, maxLength, format);
        }

        public String name() {
            return name;
        }

        /** {@code header} or {@code query}. */
        public String in() {
            return in;
        }

        public boolean required() {
            return required;
        }

        public String description() {
            return "A value that is new for each operation and the same for its retries.";
        }

        public int maxLength() {
            return maxLength;
        }

        /** A format of JSON Schema, such as {@code uuid}; {@code null} if keys have none. */
        public @Nullable String format() {
            return format;
        }
    }

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

    /** Where a client can send the key. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** The headers that responses of the operation may have, with what they say. */
    public SortedMap<String, String> headers() {
        return headers;
    }

    /** The causes of answers that are not the application's own, by status. */
    public SortedMap<Integer, List<ProblemType>> problems() {
        return problems;
    }

    /** Whether a client can be answered with 202, and asks elsewhere for the outcome. */
    public boolean accepted() {
        return accepted;
    }

    /** What a response with a status says, in one line. */
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
