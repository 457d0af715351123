package dev.semel.util;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Key values that an application makes from its own names, in a form that people can read and search for:
 * {@code @charge:order-17} for a natural key, {@code @refund="R-1","EUR"} for fields of a JSON document.
 *
 * <p>Such a value names the same key as the digest of its parts. Names that do not fit this form are stored as that digest, and
 * so was every name before this form existed. Both spellings are one key.
 */
public final class ReadableKey {

    private static final char MARK = '@';
    private static final char NATURAL = ':';
    private static final char FIELDS = '=';
    private static final char NEXT = ',';
    private static final char QUOTE = '"';

    private ReadableKey() {}

    /** The value of a natural key: readable if it fits, otherwise a digest. */
    public static String natural(String operation, String name, int max) {
        String readable = MARK + operation + NATURAL + name;
        return isName(operation) && !name.isEmpty() && fits(readable, max) ? readable : naturalDigest(operation, name);
    }

    /** The value of a key made of JSON values in their canonical form: readable if they are plain scalars that fit. */
    public static String fields(String operation, List<byte[]> values, int max) {
        List<String> texts = values.stream()
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
        String readable = MARK + operation + FIELDS + String.join(String.valueOf(NEXT), texts);
        boolean plain = !texts.isEmpty() && texts.stream().allMatch(ReadableKey::isPlainScalar);
        return isName(operation) && plain && fits(readable, max) ? readable : fieldsDigest(operation, texts);
    }

    /** The input of a key's digest: the value itself, unless it is in the readable form. */
    public static String identity(String value) {
        if (value.charAt(0) != MARK) {
            return value;
        }
        for (int i = 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == NATURAL || c == FIELDS) {
                String operation = value.substring(1, i);
                String rest = value.substring(i + 1);
                if (operation.isEmpty() || rest.isEmpty()) {
                    return value;
                }
                List<String> scalars = c == FIELDS ? scalars(rest) : null;
                return c == NATURAL
                        ? naturalDigest(operation, rest)
                        : scalars == null ? value : fieldsDigest(operation, scalars);
            }
        }
        return value;
    }

    /** A digest over the operation and its parameters; the same in every release. */
    public static String naturalDigest(String operation, String... parameters) {
        LengthPrefixedDigest digest =
                LengthPrefixedDigest.sha256().add("semel.key.v1").add(operation);
        for (String parameter : parameters) {
            digest.add(parameter);
        }
        return digest.base64Url();
    }

    private static String fieldsDigest(String operation, List<String> values) {
        LengthPrefixedDigest digest =
                LengthPrefixedDigest.sha256().add(operation).add("json");
        values.forEach(digest::add);
        return digest.base64Url();
    }

    private static boolean isName(String operation) {
        return !operation.isEmpty() && operation.indexOf(NATURAL) < 0 && operation.indexOf(FIELDS) < 0;
    }

    private static boolean fits(String value, int max) {
        return value.codePointCount(0, value.length()) <= max && Text.isPrintable(value);
    }

    /** Whether this is a string without escapes, a number, or a literal: what {@link #scalars} reads back. */
    private static boolean isPlainScalar(String json) {
        List<String> read = scalars(json);
        return read != null && read.size() == 1;
    }

    /** The scalars of a list, or {@code null} if the text is not such a list. */
    private static @Nullable List<String> scalars(String list) {
        List<String> found = new ArrayList<>();
        for (int start = 0; start <= list.length(); ) {
            int end = end(list, start);
            if (end <= start || (end < list.length() && list.charAt(end) != NEXT)) {
                return null;
            }
            found.add(list.substring(start, end));
            start = end + 1;
        }
        return found;
    }

    /** Returns where the scalar ends that starts at this index; the index itself if there is no scalar. */
    private static int end(String list, int start) {
        if (start >= list.length()) {
            return start;
        }
        if (list.charAt(start) == QUOTE) {
            int close = list.indexOf(QUOTE, start + 1);
            return close < 0 || list.substring(start, close).indexOf('\\') >= 0 ? start : close + 1;
        }
        int end = start;
        while (end < list.length() && isLiteral(list.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isLiteral(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
    }
}
