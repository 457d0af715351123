package dev.semel.http.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Replaces values in a JSON document, and leaves every other byte of it as it is. */
public final class JsonSplice {

    private static final int MAX_DEPTH = 1000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** A value to be replaced, from its first byte to behind its last one. */
    private record Span(int start, int end) {}

    private JsonSplice() {}

    /**
     * The document with a string instead of the values at the pointers, for every member with the name if there are
     * several; {@code null} if it is not JSON in UTF-8.
     */
    public static byte @Nullable [] replace(byte[] json, List<JsonPointer> pointers, String placeholder) {
        List<Span> spans = new ArrayList<>();
        // Of bytes whose encoding the parser would guess, the places are those of other bytes.
        if (json.length > 1 && (json[0] == 0 || json[1] == 0 || json[0] < 0)) {
            return null;
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            find(
                    parser,
                    parser.nextToken(),
                    pointers.stream().map(JsonPointer::steps).toList(),
                    spans);
            if (parser.nextToken() != null) {
                return null;
            }
        } catch (JacksonException e) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        JsonText.appendString(text, placeholder);
        byte[] instead = text.toString().getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        int written = 0;
        for (Span span : spans) {
            out.write(json, written, span.start - written);
            out.writeBytes(instead);
            written = span.end;
        }
        out.write(json, written, json.length - written);
        return out.toByteArray();
    }

    private static void find(JsonParser parser, @Nullable JsonToken token, List<List<String>> paths, List<Span> spans) {
        if (paths.contains(List.<String>of())) {
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            // A string is read to its end only on request.
            parser.finishToken();
            spans.add(new Span(start, (int) parser.currentLocation().getByteOffset()));
        } else if (token == JsonToken.START_OBJECT && !paths.isEmpty()) {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                find(parser, parser.nextToken(), JsonPointer.inside(paths, name), spans);
            }
        } else if (token == JsonToken.START_ARRAY && !paths.isEmpty()) {
            int index = 0;
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                find(parser, next, JsonPointer.inside(paths, String.valueOf(index++)), spans);
            }
        } else {
            parser.skipChildren();
        }
    }
}
