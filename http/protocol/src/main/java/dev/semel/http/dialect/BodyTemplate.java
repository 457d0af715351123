package dev.semel.http.dialect;

import dev.semel.http.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of a refusal: text with placeholders such as {@code {detail}}, which stand inside JSON strings; {@code {status}}
 * may stand anywhere.
 */
record BodyTemplate(String contentType, String text) {

    static final String CODE = "code";
    static final String STATUS = "status";

    private static final Set<String> NAMES = Set.of(CODE, STATUS, "type", "title", "detail", "outcome", "retry");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z]+)}");

    BodyTemplate {
        Matcher matcher = PLACEHOLDER.matcher(text);
        while (matcher.find()) {
            if (!NAMES.contains(matcher.group(1))) {
                throw new IllegalArgumentException(
                        "the body of an error has no placeholder {" + matcher.group(1) + "}; it can have " + NAMES);
            }
        }
    }

    byte[] fill(Map<String, String> values) {
        return replaced(text, name -> JsonText.escaped(values.getOrDefault(name, "")))
                .getBytes(StandardCharsets.UTF_8);
    }

    static String replaced(String text, UnaryOperator<String> value) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value.apply(found.group(1))));
    }
}
