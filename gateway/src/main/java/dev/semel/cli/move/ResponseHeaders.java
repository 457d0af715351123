package dev.semel.cli.move;

import dev.semel.Header;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a response as a column has them: an object {@code {"Location": "/orders/7"}}, whose values may be lists, a list of
 * objects with {@code name} and {@code value}, or lines {@code Location: /orders/7}.
 */
record ResponseHeaders(@Nullable String contentType, List<Header> others) {

    static ResponseHeaders parse(@Nullable String text) {
        List<Header> all;
        try {
            all = text == null || text.isBlank() ? List.of() : headers(text.strip());
        } catch (DecodeException e) {
            // Without what it says: that may be a part of the headers, and those may hold a secret.
            throw new IllegalArgumentException("headers: expected {\"Name\": \"value\"} or lines \"Name: value\"");
        }
        String contentType = null;
        List<Header> others = new ArrayList<>();
        for (Header header : all) {
            if (header.name().equalsIgnoreCase("Content-Type")) {
                contentType = header.value();
            } else {
                others.add(header);
            }
        }
        return new ResponseHeaders(contentType, others);
    }

    private static List<Header> headers(String text) {
        List<Header> headers = new ArrayList<>();
        if (text.startsWith("{")) {
            for (Map.Entry<String, Object> entry : new JsonObject(text)) {
                Object value = entry.getValue();
                for (Object each : value instanceof JsonArray array ? array : new JsonArray().add(value)) {
                    headers.add(new Header(entry.getKey(), String.valueOf(each)));
                }
            }
        } else if (text.startsWith("[")) {
            for (Object each : new JsonArray(text)) {
                if (!(each instanceof JsonObject header) || !(header.getValue("name") instanceof String name)) {
                    throw new DecodeException("no object with a name");
                }
                headers.add(new Header(name, String.valueOf(header.getValue("value"))));
            }
        } else {
            for (String line : text.lines().toList()) {
                int colon = line.indexOf(':');
                if (colon < 1) {
                    throw new DecodeException("a line without a name");
                }
                headers.add(new Header(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip()));
            }
        }
        return headers;
    }

    /** Headers that {@link #parse} reads. */
    static @Nullable String write(List<Header> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        JsonArray all = new JsonArray();
        headers.forEach(
                header -> all.add(new JsonObject().put("name", header.name()).put("value", header.value())));
        return all.encode();
    }
}
