package dev.semel.jdbc.row;

/**
 * Text on one line: control characters and unpaired surrogates as <code>&#92;uXXXX</code>, so that the rest can be
 * stored by any database, split at tabs and line ends, and read by people.
 */
public final class EscapedText {

    private EscapedText() {}

    public static String escape(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c != '\\' && c != 0x7f && !isUnpaired(text, i);
            if (!plain && escaped == null) {
                escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (escaped != null) {
                if (plain) {
                    escaped.append(c);
                } else {
                    escaped.append(String.format("\\u%04x", (int) c));
                }
            }
        }
        return escaped == null ? text : escaped.toString();
    }

    private static boolean isUnpaired(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    static String unescape(String text) {
        int next = text.indexOf('\\');
        if (next < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int done = 0;
        while (next >= 0) {
            plain.append(text, done, next).append((char) Integer.parseInt(text, next + 2, next + 6, 16));
            done = next + 6;
            next = text.indexOf('\\', done);
        }
        return plain.append(text, done, text.length()).toString();
    }
}
