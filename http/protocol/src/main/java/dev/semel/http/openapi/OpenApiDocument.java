package dev.semel.http.openapi;

import dev.semel.http.json.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An OpenAPI 3.1 document with the parameters, headers and responses that Semel adds to operations. Merge it into the
 * description of the API.
 */
public final class OpenApiDocument {

    private final String title;
    private final String version;
    private final SortedMap<String, Map<String, Object>> paths = new TreeMap<>();
    private boolean hasProblems;

    public OpenApiDocument(String title, String version) {
        this.title = title;
        this.version = version;
    }

    /**
     * Adds an operation.
     *
     * @param path with its variables in braces
     * @param id a name of the operation
     */
    public OpenApiDocument add(String path, String method, String id, RulesDescription rules) {
        Map<String, Object> item = paths.computeIfAbsent(path, first -> new LinkedHashMap<>());
        List<Map<String, Object>> variables = variables(path);
        if (!variables.isEmpty()) {
            item.put("parameters", variables);
        }
        item.put(method.toLowerCase(Locale.ROOT), operation(id, rules));
        hasProblems |= rules.problems().keySet().stream()
                .anyMatch(status -> rules.bodies(status).containsKey(RulesDescription.PROBLEM));
        return this;
    }

    /** The document as JSON. */
    public String json() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", ordered("title", title, "version", version));
        document.put("paths", paths);
        if (hasProblems) {
            document.put("components", Map.of("schemas", Map.of(RulesDescription.PROBLEM_SCHEMA, problem())));
        }
        return JsonText.pretty(document) + "\n";
    }

    private static Map<String, Object> problem() {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", "object");
        Map<String, Object> members = new LinkedHashMap<>();
        RulesDescription.problemMembers()
                .forEach((name, says) -> members.put(name, ordered("type", "string", "description", says)));
        members.put("status", Map.of("type", "integer"));
        problem.put("properties", members);
        problem.put("required", List.of("type", "status", "outcome", "retry"));
        return problem;
    }

    private static List<Map<String, Object>> variables(String path) {
        List<Map<String, Object>> variables = new ArrayList<>();
        for (String segment : path.split("/")) {
            if (segment.startsWith("{") && segment.endsWith("}")) {
                variables.add(ordered(
                        "name",
                        segment.substring(1, segment.length() - 1),
                        "in",
                        "path",
                        "required",
                        true,
                        "schema",
                        Map.of("type", "string")));
            }
        }
        return variables;
    }

    private static Map<String, Object> operation(String id, RulesDescription rules) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", id);
        if (!rules.parameters().isEmpty()) {
            operation.put(
                    "parameters",
                    rules.parameters().stream().map(OpenApiDocument::parameter).toList());
        }
        Map<String, Object> responses = new LinkedHashMap<>();
        Map<String, Object> headers = new LinkedHashMap<>();
        rules.headers()
                .forEach((name, says) ->
                        headers.put(name, ordered("description", says, "schema", Map.of("type", "string"))));
        responses.put("default", ordered("description", "The response of the service.", "headers", headers));
        if (rules.accepted()) {
            responses.put(
                    "202",
                    ordered(
                            "description",
                            "The operation is running; ask at the Location for its outcome.",
                            "headers",
                            Map.of("Location", Map.of("schema", Map.of("type", "string")))));
        }
        for (int status : rules.problems().keySet()) {
            Map<String, Object> content = new LinkedHashMap<>();
            rules.bodies(status).forEach((mediaType, bodies) -> content.put(mediaType, content(mediaType, bodies)));
            responses.put(
                    String.valueOf(status), ordered("description", rules.description(status), "content", content));
        }
        operation.put("responses", responses);
        return operation;
    }

    /** Problems have a schema; the errors of other APIs are shown by example. */
    private static Map<String, Object> content(String mediaType, Map<String, String> bodies) {
        if (mediaType.equals(RulesDescription.PROBLEM)) {
            return ordered("schema", Map.of("$ref", "#/components/schemas/" + RulesDescription.PROBLEM_SCHEMA));
        }
        Map<String, Object> examples = new LinkedHashMap<>();
        bodies.forEach((cause, json) -> examples.put(cause, Map.of("value", new JsonText.Raw(json))));
        return ordered("schema", Map.of("type", "object"), "examples", examples);
    }

    private static Map<String, Object> parameter(RulesDescription.Parameter parameter) {
        Map<String, Object> schema = ordered("type", "string", "maxLength", parameter.maxLength());
        if (parameter.format() != null) {
            schema.put("format", parameter.format());
        }
        return ordered(
                "name",
                parameter.name(),
                "in",
                parameter.in(),
                "required",
                parameter.required(),
                "description",
                parameter.description(),
                "schema",
                schema);
    }

    private static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }
}
