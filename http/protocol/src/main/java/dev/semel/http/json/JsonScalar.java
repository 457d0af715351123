package dev.semel.http.json;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one string or integer out of a JSON document, without keeping the rest of it. The whole document is looked at: one
 * in which two readers could see different things, such as one with duplicate members, is not read at all.
 */
public final class JsonScalar {

    private static final int MAX_DEPTH = 100;
    private static final int MAX_TOKENS = 100_000;
    private static final int MAX_NAME = 10_000;
    private static final int MAX_DIGITS = 40;

    /** The longest value; strings that are skipped may be longer. */
    private static final int MAX_STRING = 10_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxTokenCount(MAX_TOKENS)
                    .maxNumberLength(1000)
                    .maxNameLength(MAX_NAME)
                    .maxStringLength(MAX_STRING)
                    .build())
            .build();

    /** The document is malformed, ambiguous or too complex, or has something else than a name at the pointer. */
    public static final class UnreadableException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message, null, false, false);
        }
    }

    private JsonScalar() {}

    /** The value at the pointer as text; {@code null} if there is none, or the JSON null. */
    public static @Nullable String find(InputStream utf8, JsonPointer pointer) throws UnreadableException {
        // Strict, unlike a reader with a charset: a byte that is not UTF-8 must not become a replacement character.
        try (JsonParser parser = JSON.createParser(
                ObjectReadContext.empty(), new InputStreamReader(utf8, StandardCharsets.UTF_8.newDecoder()))) {
            String found = value(parser, parser.nextToken(), pointer.steps());
            if (parser.nextToken() != null) {
                throw new UnreadableException("there is text after the JSON document.");
            }
            return found;
        } catch (JacksonException e) {
            throw new UnreadableException(
                    "the body is not JSON in UTF-8 that every reader understands in the same way (no"
                            + " duplicate members, at most " + MAX_DEPTH + " levels and " + MAX_TOKENS + " values).");
        }
    }

    private static @Nullable String value(JsonParser parser, @Nullable JsonToken token, List<String> steps)
            throws UnreadableException {
        if (token == null) {
            throw new UnreadableException("the body is empty.");
        }
        if (steps.isEmpty()) {
            return scalar(parser, token);
        }
        List<String> rest = steps.subList(1, steps.size());
        String found = null;
        if (token == JsonToken.START_OBJECT) {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken member = parser.nextToken();
                if (name.equals(steps.get(0))) {
                    found = value(parser, member, rest);
                } else {
                    parser.skipChildren();
                }
            }
        } else if (token == JsonToken.START_ARRAY) {
            int index = 0;
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                if (String.valueOf(index++).equals(steps.get(0))) {
                    found = value(parser, next, rest);
                } else {
                    parser.skipChildren();
                }
            }
        }
        return found;
    }

    private static @Nullable String scalar(JsonParser parser, JsonToken token) throws UnreadableException {
        return switch (token) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> integer(parser.getString());
            default -> throw new UnreadableException("it is neither a string nor a whole number.");
        };
    }

    private static String integer(String text) throws UnreadableException {
        if (text.startsWith("-") || text.length() > MAX_DIGITS) {
            throw new UnreadableException("it is a number below zero or of more than " + MAX_DIGITS + " digits.");
        }
        return text;
    }
}
