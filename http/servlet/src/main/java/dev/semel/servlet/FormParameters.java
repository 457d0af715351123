package dev.semel.servlet;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameters of a request whose form body was read before the container could. */
final class FormParameters {

    private static final int MAX = 10_000;

    private FormParameters() {}

    /** Those of the query first, then those of the body. */
    static Map<String, String[]> merge(Map<String, String[]> query, byte[] body, Charset charset) {
        Map<String, List<String>> merged = new LinkedHashMap<>();
        query.forEach((name, values) -> merged.put(name, new ArrayList<>(List.of(values))));
        String[] pairs = new String(body, charset).split("&", MAX + 1);
        if (pairs.length > MAX) {
            throw new IllegalStateException("the form has more than " + MAX + " parameters");
        }
        for (String pair : pairs) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                merged.computeIfAbsent(decode(parts[0], charset), name -> new ArrayList<>())
                        .add(parts.length > 1 ? decode(parts[1], charset) : "");
            }
        }
        Map<String, String[]> parameters = new LinkedHashMap<>();
        merged.forEach((name, values) -> parameters.put(name, values.toArray(String[]::new)));
        return parameters;
    }

    private static String decode(String text, Charset charset) {
        try {
            return URLDecoder.decode(text, charset);
        } catch (IllegalArgumentException e) {
            // A stray percent sign is the client's own text.
            return text;
        }
    }
}
