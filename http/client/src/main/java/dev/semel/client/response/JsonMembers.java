package dev.semel.client.response;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads the string members of a small JSON object, and passes over everything else in it. */
public final class JsonMembers {

    private static final int MAX_BODY = 64 * 1024;
    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;

    private JsonMembers(String text) {
        this.text = text;
    }

    /** The members whose values are strings; none if this is not a JSON object of a reasonable size. */
    public static Map<String, String> read(byte[] body) {
        if (body.length == 0 || body.length > MAX_BODY) {
            return Map.of();
        }
        try {
            return new JsonMembers(new String(body, StandardCharsets.UTF_8)).object();
        } catch (IllegalArgumentException notJson) {
            return Map.of();
        }
    }

    private Map<String, String> object() {
        Map<String, String> members = new HashMap<>();
        skipSpace();
        expect('{');
        skipSpace();
        if (next() == '}') {
            return members;
        }
        while (true) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            if (next() == '"') {
                members.put(name, string());
            } else {
                skipValue(0);
            }
            skipSpace();
            if (next() == '}') {
                return members;
            }
            expect(',');
        }
    }

    private void skipValue(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("too deep");
        }
        skipSpace();
        char c = next();
        if (c == '"') {
            string();
        } else if (c == '{' || c == '[') {
            skipNested(c == '{' ? '}' : ']', depth);
        } else {
            int start = at;
            while (at < text.length() && "+-.eE0123456789truefalsn".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (at == start) {
                throw new IllegalArgumentException("no value at " + at);
            }
        }
    }

    private void skipNested(char end, int depth) {
        at++;
        skipSpace();
        while (next() != end) {
            if (end == '}') {
                string();
                skipSpace();
                expect(':');
            }
            skipValue(depth + 1);
            skipSpace();
            if (next() != end) {
                expect(',');
                skipSpace();
            }
        }
        at++;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (next() != '"') {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        char c = next();
        at++;
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw new IllegalArgumentException("ends inside an escape");
                }
                char code = (char) Integer.parseInt(text, at, at + 4, 16);
                at += 4;
                yield code;
            }
            default -> throw new IllegalArgumentException("no such escape: " + c);
        };
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw new IllegalArgumentException("ends too early");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (next() != c) {
            throw new IllegalArgumentException("no " + c + " at " + at);
        }
        at++;
    }
}
