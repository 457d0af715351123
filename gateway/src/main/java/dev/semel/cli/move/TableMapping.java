package dev.semel.cli.move;

import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.config.Parse;
import dev.semel.gateway.config.Spelling;
import dev.semel.http.ReplayHeaders;
import dev.semel.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * The mapping from the columns of your own table to the fields of a key, read from a YAML file.
 *
 * @param rows the table, or a query in parentheses; {@code null} for a file
 * @param order the column that rows are read in the order of
 * @param http whether requests of HTTP are sent under the keys, or operations of a library are called
 * @param columns the columns of the fields that have one
 * @param constants what the other fields are, and those that have no value in a row
 * @param states what the values of the column {@code state} mean
 * @param zone of times without a zone
 */
record TableMapping(
        @Nullable String rows,
        String order,
        boolean http,
        Map<Field, String> columns,
        Map<Field, String> constants,
        Map<String, RowState> states,
        ZoneId zone,
        BodyEncoding bodyEncoding,
        int maxBody,
        boolean dropsLargeBodies,
        ReplayHeaders headers) {

    /** The state of the operation in a row. */
    enum RowState {
        SUCCEEDED,
        FAILED,
        /** It has ended; the status of the response says how. */
        SETTLED,
        IN_PROGRESS
    }

    /** The encoding of a body in a text column. */
    enum BodyEncoding {
        TEXT,
        BASE64,
        HEX
    }

    private static final List<String> NAMES = List.of(
            "table",
            "query",
            "order",
            "kind",
            "columns",
            "constants",
            "states",
            "time-zone",
            "body-encoding",
            "max-body",
            "oversized",
            "keep-headers");

    private static final Pattern IDENTIFIER = Pattern.compile("[\\p{L}_\"`][\\p{L}\\p{N}_$.\"` ]*");

    /** Reads a mapping; throws a {@link ConfigException} that names the file if it is wrong. */
    static TableMapping read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(String.valueOf(file.getFileName()))
                    .setSchema(new FailsafeSchema())
                    .build();
            return of(map("the file", Objects.requireNonNullElse(new Load(settings).loadFromString(text), Map.of())));
        } catch (YamlEngineException e) {
            throw new ConfigException(file + ": this is not YAML: " + e.getMessage(), e);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private static TableMapping of(Map<String, Object> top) {
        for (String name : top.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("there is no setting \"" + name + "\"; did you mean \""
                        + Spelling.nearest(name, NAMES) + "\"?");
            }
        }
        Map<Field, String> columns = fields(top, "columns");
        Map<Field, String> constants = fields(top, "constants");
        columns.values().forEach(column -> requireIdentifier("columns", column));
        String key = columns.get(Field.KEY);
        if (key == null) {
            throw new IllegalArgumentException("columns: name the column that has the key, for example \"key: id\"");
        }
        for (Field needed : List.of(Field.SCOPE, Field.OPERATION)) {
            if (!columns.containsKey(needed) && !constants.containsKey(needed)) {
                throw new IllegalArgumentException("\"" + needed.written()
                        + "\" is missing: name its column under columns, or its value under constants");
            }
        }
        String order = requireIdentifier("order", text(top, "order", key));
        return new TableMapping(
                rows(top),
                order,
                choice(top, "kind", List.of("http", "operation")) == 0,
                columns,
                constants,
                states(top, columns),
                ZoneId.of(text(top, "time-zone", "UTC")),
                BodyEncoding.values()[choice(top, "body-encoding", List.of("text", "base64", "hex"))],
                maxBody(text(top, "max-body", Integer.toString(Policy.DEFAULT_MAX_PAYLOAD))),
                choice(top, "oversized", List.of("refuse", "without-body")) == 1,
                ReplayHeaders.standard()
                        .and(list("keep-headers", top.getOrDefault("keep-headers", List.of()))
                                .toArray(String[]::new)));
    }

    private static @Nullable String rows(Map<String, Object> top) {
        if (top.containsKey("table") && top.containsKey("query")) {
            throw new IllegalArgumentException("name a table or a query, not both");
        }
        return top.containsKey("query")
                ? "(" + text(top, "query", "").strip().replaceFirst(";$", "") + ")"
                : top.containsKey("table") ? requireIdentifier("table", text(top, "table", "")) : null;
    }

    private static Map<Field, String> fields(Map<String, Object> top, String section) {
        Map<Field, String> fields = new EnumMap<>(Field.class);
        map(section, top.getOrDefault(section, Map.of())).forEach((name, value) -> {
            Field field;
            try {
                field = Field.parse(name);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(section + ": " + e.getMessage(), e);
            }
            fields.put(field, scalar(section + ": " + name, value));
        });
        return fields;
    }

    private static Map<String, RowState> states(Map<String, Object> top, Map<Field, String> columns) {
        Map<String, RowState> states = new HashMap<>();
        List<String> names = Stream.of(RowState.values())
                .map(state -> state.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        map("states", top.getOrDefault("states", Map.of())).forEach((name, values) -> {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("states: expected " + String.join(", ", names) + ", got \"" + name
                        + "\"; write \"succeeded: [value, value]\"");
            }
            for (String value : list("states: " + name, values)) {
                if (states.put(value, RowState.values()[names.indexOf(name)]) != null) {
                    throw new IllegalArgumentException("states: \"" + value + "\" stands there twice");
                }
            }
        });
        if (states.isEmpty() == columns.containsKey(Field.STATE)) {
            throw new IllegalArgumentException(
                    "states says what the values of the column \"state\" mean: name both, or neither and let the"
                            + " column \"status\" say whether there is a response");
        }
        if (states.isEmpty() && !columns.containsKey(Field.STATUS)) {
            throw new IllegalArgumentException("columns: name \"state\" or \"status\", which says whether a row has a"
                    + " response or is in progress");
        }
        return states;
    }

    private static int maxBody(String text) {
        long size = Parse.size(text);
        if (size > Policy.MAX_MAX_PAYLOAD) {
            throw new IllegalArgumentException("max-body must be at most " + Policy.MAX_MAX_PAYLOAD + ", got " + text);
        }
        return (int) size;
    }

    private static String requireIdentifier(String what, String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + ": \"" + name + "\" is no name; write expressions into a query, and name its columns here");
        }
        return name;
    }

    private static int choice(Map<String, Object> top, String name, List<String> choices) {
        String given = text(top, name, choices.get(0));
        if (!choices.contains(given)) {
            throw new IllegalArgumentException(
                    name + ": expected " + String.join(" or ", choices) + ", got \"" + given + "\"");
        }
        return choices.indexOf(given);
    }

    private static String text(Map<String, Object> top, String name, String otherwise) {
        return top.containsKey(name) ? scalar(name, top.get(name)) : otherwise;
    }

    private static String scalar(String what, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(what + ": expected a single value");
    }

    private static List<String> list(String what, @Nullable Object value) {
        return value instanceof List<?> values
                ? values.stream().map(each -> scalar(what, each)).toList()
                : List.of(scalar(what, value));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(String what, @Nullable Object value) {
        if (value instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance)) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException(what + ": expected lines of the form \"name: value\"");
    }
}
