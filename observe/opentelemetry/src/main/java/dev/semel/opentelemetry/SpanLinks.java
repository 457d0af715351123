package dev.semel.opentelemetry;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The place of a call in its trace, as it is stored with a key. */
final class SpanLinks {

    private static final Pattern KEPT = Pattern.compile("([0-9a-f]{32})-([0-9a-f]{16})");

    private SpanLinks() {}

    static @Nullable String kept(SpanContext context) {
        return context.isValid() ? context.getTraceId() + "-" + context.getSpanId() : null;
    }

    /** The stored place; {@code null} if a release or service without spans has stored something else. */
    static @Nullable SpanContext read(@Nullable String kept) {
        Matcher matcher = KEPT.matcher(kept == null ? "" : kept);
        if (!matcher.matches()) {
            return null;
        }
        SpanContext context = SpanContext.createFromRemoteParent(
                matcher.group(1), matcher.group(2), TraceFlags.getDefault(), TraceState.getDefault());
        return context.isValid() ? context : null;
    }
}
