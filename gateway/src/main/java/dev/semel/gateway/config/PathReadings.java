package dev.semel.gateway.config;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which services read a path: an escaped slash may part segments or belong to one, and what follows a
 * semicolon in a segment may belong to its name or not.
 */
public final class PathReadings {

    private static final int HEX = 16;
    private static final char MALFORMED = '\ufffd';
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    private PathReadings() {}

    /**
     * The segments of the path in each reading. There is none for a path with dot segments, backslashes, control
     * characters or escapes within escapes, which some services resolve and others do not.
     */
    public static List<List<String>> of(String path) {
        if (path.indexOf('\\') >= 0) {
            return List.of();
        }
        boolean plain = path.indexOf('%') < 0 && path.indexOf(';') < 0;
        List<String> whole = new ArrayList<>();
        List<String> parted = new ArrayList<>();
        List<String> namesOfParts = new ArrayList<>();
        List<String> wholeNames = new ArrayList<>();
        List<String> partedNames = new ArrayList<>();
        for (String raw : path.split("/")) {
            if (plain) {
                if (isDots(raw)) {
                    return List.of();
                }
                add(raw, whole);
                continue;
            }
            String segment = decoded(raw);
            String name = decoded(name(raw));
            if (segment == null || name == null || isAmbiguous(segment) || hidesParameters(raw)) {
                return List.of();
            }
            add(segment, whole);
            add(name, wholeNames);
            for (String part : segment.split("/")) {
                add(part, parted);
                add(name(part), namesOfParts);
            }
            for (String part : name.split("/")) {
                add(part, partedNames);
            }
        }
        return plain ? List.of(whole) : List.of(whole, parted, namesOfParts, wholeNames, partedNames);
    }

    private static void add(String segment, List<String> segments) {
        if (!segment.isEmpty()) {
            segments.add(segment);
        }
    }

    private static String name(String segment) {
        int parameters = segment.indexOf(';');
        return parameters < 0 ? segment : segment.substring(0, parameters);
    }

    private static boolean isDots(String segment) {
        return segment.equals(".") || segment.equals("..");
    }

    private static boolean isAmbiguous(String segment) {
        for (String part : segment.split("/")) {
            if (isDots(name(part).strip())) {
                return true;
            }
        }
        return segment.chars().anyMatch(c -> c < ' ' || c == 0x7f || c == '\\' || c == MALFORMED)
                || ESCAPE.matcher(segment).find();
    }

    /** An escaped semicolon starts parameters for services that decode first, and none for the others. */
    private static boolean hidesParameters(String raw) {
        return raw.contains("%3b") || raw.contains("%3B");
    }

    /** The text without its escapes, or {@code null} if one of them is invalid. */
    private static @Nullable String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = new byte[text.length()];
        int n = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), HEX) : -1;
                int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), HEX);
                if (low < 0) {
                    return null;
                }
                bytes[n++] = (byte) (high * HEX + low);
                i += 2;
            } else {
                bytes[n++] = (byte) c;
            }
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }
}
