package dev.semel.http.header;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The preferences of a request (RFC 7240), as far as they matter here. */
public final class Prefer {

    public static final long NO_WAIT = -1;

    private static final int MAX_LINE = 1024;
    private static final Pattern WAIT = Pattern.compile(
            "(?:^|,)[ \t]*wait[ \t]*=[ \t]*\"?([0-9]{1,9})\"?[ \t]*(?=$|[,;])", Pattern.CASE_INSENSITIVE);

    private static final Pattern RESPOND_ASYNC =
            Pattern.compile("(?:^|,)[ \t]*respond-async[ \t]*(?=$|[,;])", Pattern.CASE_INSENSITIVE);

    private Prefer() {}

    /** Whether the client would rather get 202 immediately than wait for the outcome. */
    public static boolean respondAsync(List<String> lines) {
        return lines.stream()
                .anyMatch(line ->
                        line.length() <= MAX_LINE && RESPOND_ASYNC.matcher(line).find());
    }

    /** How many seconds the client would wait; {@link #NO_WAIT} if it does not say. What is malformed is ignored. */
    public static long wait(List<String> lines) {
        for (String line : lines) {
            Matcher matcher = WAIT.matcher(line);
            if (line.length() <= MAX_LINE && matcher.find()) {
                return Long.parseLong(matcher.group(1));
            }
        }
        return NO_WAIT;
    }
}
