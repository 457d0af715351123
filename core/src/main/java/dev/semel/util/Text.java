package dev.semel.util;

import java.util.regex.Pattern;

/** Checks on names that callers choose, and how they are shown in error messages. */
public final class Text {

    private static final int SHOWN = 40;
    private static final int DELETE = 0x7f;
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private Text() {}

    /** Returns the value if it is 1 to {@code max} characters of storable text, and says what is wrong otherwise. */
    public static String requireName(String what, String value, int max) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        int length = value.codePointCount(0, value.length());
        if (length > max) {
            throw new IllegalArgumentException(
                    what + " must have at most " + max + " characters, got " + length + ": " + quote(value));
        }
        for (int i = 0, c; i < value.length(); i += Character.charCount(c)) {
            c = value.codePointAt(i);
            if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                throw new IllegalArgumentException(what + " must not contain control characters or unpaired"
                        + " surrogates, found " + String.format("U+%04X", c));
            }
        }
        return value;
    }

    /** Whether the text has neither control characters nor unpaired surrogates. */
    public static boolean isPrintable(String text) {
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                return false;
            }
        }
        return true;
    }

    /** Refuses what cannot be the name of a header of HTTP. */
    public static void requireHeaderName(String name) {
        if (!HEADER_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "header name " + quote(name) + " has characters that no header name can have");
        }
    }

    /** Refuses what would end a header line early, or break it. */
    public static void requireHeaderValue(String what, String value) {
        value.chars().forEach(c -> {
            if ((c < ' ' && c != '\t') || c == DELETE) {
                throw new IllegalArgumentException(what + " must not contain line breaks or other control characters,"
                        + " found " + String.format("U+%04X", c));
            }
        });
    }

    /** The value in quotes, cut short, with anything unprintable replaced, so that it is safe in a log line. */
    public static String quote(String value) {
        StringBuilder shown = new StringBuilder("\"");
        value.codePoints()
                .limit(SHOWN)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
                .forEach(shown::appendCodePoint);
        if (value.codePointCount(0, value.length()) > SHOWN) {
            shown.append("...");
        }
        return shown.append('"').toString();
    }
}
