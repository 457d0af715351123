package dev.semel.http.carrier;

import dev.semel.util.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path with variables, such as {@code /orders/{order}/captures/{capture}}, whose values are a natural key. */
public final class PathTemplate {

    private final List<String> segments;

    private PathTemplate(List<String> segments) {
        this.segments = segments;
    }

    public static PathTemplate parse(String text) {
        List<String> segments = List.of(text.split("/", -1));
        boolean valid = text.startsWith("/") && segments.stream().anyMatch(PathTemplate::isVariable);
        for (String segment : segments) {
            valid &= isVariable(segment) || (segment.indexOf('{') < 0 && segment.indexOf('}') < 0);
        }
        if (!valid) {
            throw new IllegalArgumentException(
                    "a path with a key looks like /orders/{order} (a slash first, and at least"
                            + " one variable that is a whole segment), got \"" + text + "\"");
        }
        return new PathTemplate(segments);
    }

    private static boolean isVariable(String segment) {
        return segment.length() > 2 && segment.startsWith("{") && segment.endsWith("}");
    }

    /**
     * The values of the variables, with slashes between them; {@code null} if the path does not match, or if services
     * could read it in another way.
     *
     * @param path as it was sent, not decoded
     */
    public @Nullable String name(String path) {
        String[] sent = path.split("/", -1);
        if (sent.length != segments.size()) {
            return null;
        }
        List<String> values = new ArrayList<>();
        for (int i = 0; i < sent.length; i++) {
            String value = Parameters.decode(sent[i], false);
            if (value == null || !hasOneReading(value)) {
                return null;
            }
            if (isVariable(segments.get(i)) && !value.isEmpty()) {
                values.add(value);
            } else if (!segments.get(i).equals(value)) {
                return null;
            }
        }
        return String.join("/", values);
    }

    /** Parameters behind a semicolon are a part of the name to some services and not to others. */
    private static boolean hasOneReading(String segment) {
        return segment.indexOf('/') < 0
                && segment.indexOf('\\') < 0
                && segment.indexOf(';') < 0
                && !segment.equals(".")
                && !segment.equals("..")
                && Text.isPrintable(segment);
    }
}
