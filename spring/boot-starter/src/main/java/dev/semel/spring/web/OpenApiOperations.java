package dev.semel.spring.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.semel.http.HttpRules;
import dev.semel.http.openapi.RulesDescription;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds the description of a handler's rules for clients. The application's own descriptions stay as they are.
 *
 * @param markers the headers that mark a replay; none if the dialect defines them
 */
record OpenApiOperations(List<String> markers) {

    private static final String PROBLEM_REF = "#/components/schemas/" + RulesDescription.PROBLEM_SCHEMA;

    /** @param rules {@code null} for a handler that is not guarded */
    void describe(Operation operation, @Nullable HttpRules rules) {
        if (rules == null) {
            return;
        }
        RulesDescription description = rules.describe(markers.toArray(String[]::new));
        for (RulesDescription.Parameter parameter : description.parameters()) {
            add(operation, parameter);
        }
        ApiResponses responses = Objects.requireNonNullElseGet(operation.getResponses(), ApiResponses::new);
        operation.setResponses(responses);
        responses
                .values()
                .forEach(response -> description.headers().forEach((name, says) -> addHeader(response, name, says)));
        if (description.accepted()) {
            ApiResponse accepted = responses.computeIfAbsent(
                    "202",
                    first -> new ApiResponse()
                            .description("The operation is running; ask at the Location for its outcome."));
            addHeader(accepted, "Location", "Where GET tells the outcome.");
        }
        for (int status : description.problems().keySet()) {
            ApiResponse response = responses.computeIfAbsent(
                    String.valueOf(status), first -> new ApiResponse().description(description.description(status)));
            Content content = Objects.requireNonNullElseGet(response.getContent(), Content::new);
            response.setContent(content);
            description
                    .bodies(status)
                    .forEach((type, bodies) -> content.computeIfAbsent(type, first -> mediaType(type, bodies)));
        }
    }

    private static void add(Operation operation, RulesDescription.Parameter parameter) {
        List<Parameter> known = operation.getParameters();
        if (known != null
                && known.stream()
                        .anyMatch(each -> parameter.in().equals(each.getIn())
                                && parameter.name().equalsIgnoreCase(each.getName()))) {
            return;
        }
        Schema<?> schema = typed("string");
        schema.setMaxLength(parameter.maxLength());
        schema.setFormat(parameter.format());
        operation.addParametersItem(new Parameter()
                .name(parameter.name())
                .in(parameter.in())
                .required(parameter.required())
                .description(parameter.description())
                .schema(schema));
    }

    private static void addHeader(ApiResponse response, String name, String says) {
        if (response.getHeaders() == null || !response.getHeaders().containsKey(name)) {
            response.addHeaderObject(name, new Header().description(says).schema(typed("string")));
        }
    }

    /** Problems have a schema; the errors of other APIs are shown by example. */
    private static MediaType mediaType(String type, Map<String, String> bodies) {
        if (type.equals(RulesDescription.PROBLEM)) {
            return new MediaType().schema(new Schema<>().$ref(PROBLEM_REF));
        }
        MediaType shown = new MediaType().schema(typed("object"));
        bodies.forEach((cause, json) -> shown.addExamples(cause, new Example().value(tree(json))));
        return shown;
    }

    private static Object tree(String json) {
        try {
            return Json.mapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an error of a dialect is not JSON: " + json, e);
        }
    }

    /** Adds the schema that guarded operations refer to, if there are any. */
    static void addSchemas(OpenAPI document) {
        boolean used = document.getPaths() != null
                && document.getPaths().values().stream()
                        .flatMap(path -> path.readOperations().stream())
                        .filter(operation -> operation.getResponses() != null)
                        .flatMap(operation -> operation.getResponses().values().stream())
                        .filter(response -> response.getContent() != null)
                        .map(response -> response.getContent().get(RulesDescription.PROBLEM))
                        .anyMatch(content -> content != null
                                && content.getSchema() != null
                                && PROBLEM_REF.equals(content.getSchema().get$ref()));
        if (!used) {
            return;
        }
        Schema<?> problem = typed("object");
        RulesDescription.problemMembers()
                .forEach((name, says) ->
                        problem.addProperty(name, typed("string").description(says)));
        problem.addProperty("status", typed("integer"));
        new TreeSet<>(Set.of("type", "status", "outcome", "retry")).forEach(problem::addRequiredItem);
        Components components = Objects.requireNonNullElseGet(document.getComponents(), Components::new);
        document.components(components.addSchemas(RulesDescription.PROBLEM_SCHEMA, problem));
    }

    /** OpenAPI 3.0 writes the one, and 3.1 the other. */
    private static Schema<?> typed(String type) {
        Schema<?> schema = new Schema<>();
        schema.setType(type);
        schema.setTypes(Set.of(type));
        return schema;
    }
}
