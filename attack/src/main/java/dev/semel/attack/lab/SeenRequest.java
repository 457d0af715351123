package dev.semel.attack.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request as it reached the service.
 *
 * @param head the exact bytes of its request line and headers
 * @param lower the same in lower case
 */
public record SeenRequest(String method, String target, String head, String lower) {

    private static final Pattern LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t\\x20-\\x7e\\x80-\\xff]*");
    private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ [\\x21-\\x7e]+ HTTP/1\\.[01]");

    static SeenRequest of(String head) {
        String[] words = head.split("[ \r\n]", 3);
        return new SeenRequest(words[0], words.length > 1 ? words[1] : "", head, head.toLowerCase(Locale.ROOT));
    }

    /** Why two services could read this request differently; {@code null} if they could not. */
    public @Nullable String oddity() {
        if (head.replace("\r\n", "").matches("(?s).*[\\r\\n\\x00].*")) {
            return "a bare line end or NUL";
        }
        String[] lines = head.split("\r\n");
        if (!REQUEST_LINE.matcher(lines[0]).matches()) {
            return "the request line \"" + lines[0] + "\"";
        }
        for (int i = 1; i < lines.length; i++) {
            if (!LINE.matcher(lines[i]).matches()) {
                return "the line \"" + lines[i] + "\"";
            }
        }
        List<String> lengths = values("Content-Length");
        List<String> codings = values("Transfer-Encoding");
        if (lengths.size() + codings.size() > 1) {
            return "two ways to tell where it ends";
        }
        if (lengths.stream().anyMatch(length -> !length.matches("\\d{1,18}"))) {
            return "Content-Length: " + lengths.get(0);
        }
        if (codings.stream().anyMatch(coding -> !coding.equalsIgnoreCase("chunked"))) {
            return "Transfer-Encoding: " + codings.get(0);
        }
        return values("Host").size() == 1 ? null : "not one Host";
    }

    /** The values of all lines of a header. */
    public List<String> values(String name) {
        String start = "\n" + name.toLowerCase(Locale.ROOT) + ":";
        List<String> values = new ArrayList<>();
        int at = lower.indexOf(start);
        while (at >= 0) {
            int from = at + start.length();
            int end = head.indexOf('\n', from);
            values.add(head.substring(from, end < 0 ? head.length() : end).strip());
            at = lower.indexOf(start, from);
        }
        return values;
    }

    @Override
    public String toString() {
        return method + " " + target;
    }
}
