package dev.semel.util;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The description of the request that claimed a key, as one text: its trace id, then a space and a summary such as
 * {@code POST /charges on gateway-1}. Stores keep it as it is, so that more can be said of a request without a new
 * column. A dash stands for no trace.
 */
public final class TraceText {

    private static final int MAX_ABOUT = 250;
    private static final String NONE = "-";
    private static final char DELETE = 0x7f;

    /** The texts that were last made without a trace: requests of one path share one, which memory then holds once. */
    private static final AtomicReferenceArray<Untraced> UNTRACED = new AtomicReferenceArray<>(64);

    private record Untraced(String about, String text) {}

    private TraceText() {}

    public static @Nullable String join(@Nullable String traceId, @Nullable String about) {
        if (about == null || about.isBlank()) {
            return traceId;
        }
        return traceId == null ? untraced(about) : traceId + " " + shortened(oneLine(about));
    }

    private static String untraced(String about) {
        int slot = about.hashCode() & (UNTRACED.length() - 1);
        Untraced known = UNTRACED.get(slot);
        if (known == null || !known.about.equals(about)) {
            known = new Untraced(about, NONE + " " + shortened(oneLine(about)));
            UNTRACED.set(slot, known);
        }
        return known.text;
    }

    private static String shortened(String line) {
        return line.length() <= MAX_ABOUT ? line : line.substring(0, MAX_ABOUT - 1) + "…";
    }

    private static String oneLine(String about) {
        char[] line = null;
        for (int i = 0; i < about.length(); i++) {
            char c = about.charAt(i);
            if (c < ' ' || c == DELETE) {
                line = line == null ? about.toCharArray() : line;
                line[i] = ' ';
            }
        }
        return (line == null ? about : new String(line)).strip();
    }

    public static @Nullable String traceId(@Nullable String text) {
        int space = text == null ? -1 : text.indexOf(' ');
        String first = text == null || space < 0 ? text : text.substring(0, space);
        return NONE.equals(first) ? null : first;
    }

    public static @Nullable String about(@Nullable String text) {
        int space = text == null ? -1 : text.indexOf(' ');
        return text == null || space < 0 ? null : text.substring(space + 1);
    }
}
