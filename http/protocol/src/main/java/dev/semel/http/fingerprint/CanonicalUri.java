package dev.semel.http.fingerprint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Normalises the parts of a request target, so that spellings that are equivalent under RFC 3986 become equal. */
public final class CanonicalUri {

    private static final String UNRESERVED = "-._~";
    private static final int HEX = 16;

    private CanonicalUri() {}

    public static String path(String path) {
        return percentNormalised(path);
    }

    /**
     * The parameters sorted by name. Those of one name keep their order, because to many applications it means
     * something.
     */
    public static String query(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return "";
        }
        List<String> parameters = new ArrayList<>();
        for (String parameter : query.split("&")) {
            if (!parameter.isEmpty()) {
                parameters.add(percentNormalised(parameter));
            }
        }
        parameters.sort(Comparator.comparing(CanonicalUri::name));
        return String.join("&", parameters);
    }

    private static String name(String parameter) {
        int end = parameter.indexOf('=');
        return end < 0 ? parameter : parameter.substring(0, end);
    }

    /** Upper-case escapes, and none for what needs none; anything malformed stays as it is. */
    private static String percentNormalised(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int decoded = c == '%' ? decoded(text, i) : -1;
            if (decoded < 0) {
                out.append(c);
                continue;
            }
            if (isUnreserved((char) decoded)) {
                out.append((char) decoded);
            } else {
                out.append(text.substring(i, i + 3).toUpperCase(Locale.ROOT));
            }
            i += 2;
        }
        return out.toString();
    }

    private static int decoded(String text, int percent) {
        if (percent + 2 >= text.length()) {
            return -1;
        }
        int high = hex(text.charAt(percent + 1));
        int low = hex(text.charAt(percent + 2));
        return high < 0 || low < 0 ? -1 : high * HEX + low;
    }

    private static int hex(char c) {
        return c < 0x80 ? Character.digit(c, HEX) : -1;
    }

    private static boolean isUnreserved(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
    }
}
