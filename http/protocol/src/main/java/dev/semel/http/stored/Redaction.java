package dev.semel.http.stored;

import dev.semel.Header;
import dev.semel.http.json.JsonPointer;
import dev.semel.http.json.JsonSplice;
import dev.semel.util.Text;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Defines the parts of a response that are never stored. The first client gets them; a replay has a placeholder
 * instead, and everything else is unchanged, byte for byte.
 */
public final class Redaction {

    /** The default replacement for a value that was not stored. */
    public static final String DEFAULT_PLACEHOLDER = "[not stored]";

    private static final String HEADER = "header:";
    private static final Redaction NONE = new Redaction(List.of(), Set.of(), DEFAULT_PLACEHOLDER);

    private final List<JsonPointer> pointers;
    private final Set<String> headers;
    private final String placeholder;

    private Redaction(List<JsonPointer> pointers, Set<String> headers, String placeholder) {
        this.pointers = pointers;
        this.headers = headers;
        this.placeholder = placeholder;
    }

    /** No redaction: everything is stored. */
    public static Redaction none() {
        return NONE;
    }

    /**
     * Leaves out these parts: JSON Pointers into the body ({@code /card/number}) and headers ({@code header:X-Token}).
     * If a pointer is named and the body cannot be parsed, because it is not JSON or is encoded, nothing of the body is
     * stored.
     */
    public static Redaction of(String... parts) {
        TreeSet<String> headers = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        List.of(parts).stream()
                .filter(part -> part.startsWith(HEADER))
                .map(part -> part.substring(HEADER.length()))
                .forEach(name -> {
                    Text.requireHeaderName(name);
                    headers.add(name);
                });
        List<JsonPointer> pointers = List.of(parts).stream()
                .filter(part -> !part.startsWith(HEADER))
                .map(JsonPointer::parse)
                .toList();
        return new Redaction(pointers, headers, DEFAULT_PLACEHOLDER);
    }

    /** The same redaction, with another placeholder. */
    public Redaction withPlaceholder(String text) {
        return new Redaction(pointers, headers, text);
    }

    /** Whether a header of this name may be stored. */
    public boolean keeps(String header) {
        return !headers.contains(header);
    }

    /** The redacted body; {@code null} if nothing of it may be stored. */
    public byte @Nullable [] body(List<Header> all, byte[] body) {
        if (pointers.isEmpty() || body.length == 0) {
            return body;
        }
        boolean readable =
                valueOf(all, "Content-Encoding").matches("|identity") && isJson(valueOf(all, "Content-Type"));
        return readable ? JsonSplice.replace(body, pointers, placeholder) : null;
    }

    private static boolean isJson(String contentType) {
        String type = contentType.split(";", 2)[0].strip();
        boolean one = contentType.indexOf(',') < 0;
        return one && (type.equals("application/json") || type.endsWith("+json"));
    }

    /** All lines of a header, in lower case. A response with two content types has no usable one. */
    private static String valueOf(List<Header> headers, String name) {
        List<String> lines = headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .toList();
        return String.join(",", lines).strip().toLowerCase(Locale.ROOT);
    }
}
