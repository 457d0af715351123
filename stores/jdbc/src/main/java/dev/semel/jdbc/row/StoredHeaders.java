package dev.semel.jdbc.row;

import dev.semel.Header;
import dev.semel.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an outcome's content type and headers: UTF-8, one line each, the name and the value separated by a
 * tab. The content type is the line without a name, and comes first.
 */
public record StoredHeaders(@Nullable String contentType, List<Header> headers) {

    public static byte @Nullable [] encode(Outcome outcome) {
        if (outcome.contentType() == null && outcome.headers().isEmpty()) {
            return null;
        }
        StringBuilder lines = new StringBuilder();
        if (outcome.contentType() != null) {
            line(lines, "", outcome.contentType());
        }
        for (Header header : outcome.headers()) {
            line(lines, header.name(), header.value());
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void line(StringBuilder lines, String name, String value) {
        lines.append(EscapedText.escape(name))
                .append('\t')
                .append(EscapedText.escape(value))
                .append('\n');
    }

    public static StoredHeaders decode(byte @Nullable [] stored) {
        if (stored == null) {
            return new StoredHeaders(null, List.of());
        }
        String contentType = null;
        List<Header> headers = new ArrayList<>();
        String lines = new String(stored, StandardCharsets.UTF_8);
        for (int start = 0; start < lines.length(); ) {
            int tab = lines.indexOf('\t', start);
            int end = lines.indexOf('\n', tab);
            String value = EscapedText.unescape(lines.substring(tab + 1, end));
            if (tab == start) {
                contentType = value;
            } else {
                headers.add(new Header(EscapedText.unescape(lines.substring(start, tab)), value));
            }
            start = end + 1;
        }
        return new StoredHeaders(contentType, headers);
    }
}
