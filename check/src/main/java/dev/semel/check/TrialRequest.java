package dev.semel.check;

import dev.semel.check.CheckTarget.HeaderLine;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request to the API under construction: the plain one, unless something is changed. */
final class TrialRequest {

    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final CheckTarget target;
    private final List<HeaderLine> keyLines = new ArrayList<>();
    private final List<HeaderLine> more = new ArrayList<>();
    private URI uri;
    private byte[] body;
    private @Nullable String bodyKey;
    private @Nullable HeaderLine caller;

    TrialRequest(CheckTarget target) {
        this.target = target;
        this.uri = target.uri;
        this.body = target.body;
        this.caller = target.callerA;
    }

    /** Adds a line with the key. */
    TrialRequest key(String key) {
        if (target.keyMember() != null) {
            bodyKey = key;
            return this;
        }
        return rawKey(target.bareKeys ? key : '"' + key + '"');
    }

    /** Adds a line with the key, unquoted. */
    TrialRequest rawKey(String value) {
        return rawKey(target.keyHeader, value);
    }

    TrialRequest rawKey(String name, String value) {
        keyLines.add(new HeaderLine(name, value));
        return this;
    }

    TrialRequest body(byte[] bytes) {
        body = bytes;
        return this;
    }

    TrialRequest body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    TrialRequest to(URI address) {
        uri = address;
        return this;
    }

    TrialRequest as(@Nullable HeaderLine credentials) {
        caller = credentials;
        return this;
    }

    TrialRequest with(@Nullable HeaderLine header) {
        if (header != null) {
            more.add(header);
        }
        return this;
    }

    private List<HeaderLine> lines() {
        List<HeaderLine> lines = new ArrayList<>(keyLines);
        if (target.headers.stream().noneMatch(line -> line.name().equalsIgnoreCase("Content-Type"))) {
            lines.add(new HeaderLine("Content-Type", target.contentType()));
        }
        lines.addAll(target.headers);
        lines.addAll(more);
        if (caller != null) {
            lines.add(caller);
        }
        if (target.timeHeader() != null) {
            lines.add(new HeaderLine(target.timeHeader(), IMF_FIXDATE.format(OffsetDateTime.now(ZoneOffset.UTC))));
        }
        return lines;
    }

    HttpRequest request() {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(target.timeout)
                .method(target.method, BodyPublishers.ofByteArray(content()));
        lines().forEach(line -> request.header(line.name(), line.value()));
        return request.build();
    }

    /** The body, with the key in it where it belongs there. */
    private byte[] content() {
        if (bodyKey == null) {
            return body;
        }
        String text = new String(body, StandardCharsets.UTF_8).strip();
        if (!text.startsWith("{")) {
            throw new IllegalStateException("the key belongs in the body, but the body is not a JSON object");
        }
        String rest = text.substring(1);
        String member = "\"" + target.keyMember() + "\": \"" + bodyKey + "\"";
        return ("{" + member + (rest.strip().startsWith("}") ? "" : ", ") + rest).getBytes(StandardCharsets.UTF_8);
    }

    URI uri() {
        return uri;
    }

    /** The request as it goes over the wire, as far as the given part of its body. */
    byte[] wire(int bodyLength) {
        byte[] content = content();
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        StringBuilder head = new StringBuilder(target.method + " " + path + query + " HTTP/1.1\r\nHost: "
                + uri.getRawAuthority() + "\r\nContent-Length: " + content.length + "\r\n");
        lines().forEach(line -> head.append(line.name() + ": " + line.value() + "\r\n"));
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = java.util.Arrays.copyOf(start, start.length + bodyLength);
        System.arraycopy(content, 0, all, start.length, bodyLength);
        return all;
    }

    int bodyLength() {
        return content().length;
    }

    /** In one line, without credentials. */
    String brief() {
        StringBuilder text = new StringBuilder(target.method + " " + uri.getRawPath());
        keyLines.forEach(line -> text.append("  " + line.name() + ": " + shortened(line.value())));
        more.forEach(line -> text.append("  ").append(Secrets.line(line)));
        if (caller != null && caller.equals(target.callerB)) {
            text.append("  (caller b)");
        }
        return text.append("  ").append(body.length).append(" bytes").toString();
    }

    private static String shortened(String value) {
        return value.length() > 80 ? value.substring(0, 40) + "… (" + value.length() + " characters)" : value;
    }
}
