package dev.semel.http.header;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The trace context header of the W3C. */
public final class TraceParent {

    private static final Pattern FORMAT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.{0,200}");

    private TraceParent() {}

    public static @Nullable String traceId(@Nullable String field) {
        if (field == null) {
            return null;
        }
        Matcher matcher = FORMAT.matcher(field);
        return matcher.matches() ? matcher.group(1) : null;
    }
}
