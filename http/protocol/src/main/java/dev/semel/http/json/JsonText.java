package dev.semel.http.json;

import java.util.Map;

/** Writes small JSON, with strings escaped as RFC 8785 does. */
public final class JsonText {

    private JsonText() {}

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
