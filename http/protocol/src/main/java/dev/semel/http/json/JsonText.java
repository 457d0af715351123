package dev.semel.http.json;

import java.util.Collection;
import java.util.Map;

/** Writes small JSON, with strings escaped as RFC 8785 does. */
public final class JsonText {

    private JsonText() {}

    /** A value that is JSON already. */
    public record Raw(String json) {}

    /** An object of strings and integers. */
    public static String object(Map<String, ?> members) {
        StringBuilder out = new StringBuilder("{");
        members.forEach((name, value) -> {
            if (out.length() > 1) {
                out.append(',');
            }
            appendString(out, name);
            out.append(':');
            if (value instanceof Integer) {
                out.append(value);
            } else {
                appendString(out, value.toString());
            }
        });
        return out.append('}').toString();
    }

    /** The text as it stands inside a JSON string. */
    public static String escaped(String value) {
        StringBuilder out = new StringBuilder();
        appendString(out, value);
        return out.substring(1, out.length() - 1);
    }

    /** A document of maps, lists, strings, numbers, booleans and {@link Raw} values, for people to read. */
    public static String pretty(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value, "\n");
        return out.toString();
    }

    private static void append(StringBuilder out, Object value, String line) {
        String inside = line + "  ";
        if (value instanceof Map<?, ?> members && !members.isEmpty()) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator).append(inside);
                appendString(out, member.getKey().toString());
                append(out.append(": "), member.getValue(), inside);
                separator = ",";
            }
            out.append(line).append('}');
        } else if (value instanceof Collection<?> elements && !elements.isEmpty()) {
            String separator = "[";
            for (Object element : elements) {
                append(out.append(separator).append(inside), element, inside);
                separator = ",";
            }
            out.append(line).append(']');
        } else if (value instanceof Map<?, ?> || value instanceof Collection<?>) {
            out.append(value instanceof Map<?, ?> ? "{}" : "[]");
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Raw raw) {
            out.append(raw.json());
        } else {
            appendString(out, value.toString());
        }
    }

    static void appendString(StringBuilder out, String value) {
        out.append('"');
        if (isPlain(value)) {
            out.append(value).append('"');
            return;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }
}
