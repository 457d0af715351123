package dev.semel.http.fingerprint;

import dev.semel.http.json.CanonicalJson;
import dev.semel.http.spool.Spool;
import dev.semel.util.LengthPrefixedDigest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A request's body with its media type, parsed at most once as JSON. */
public final class RequestContent {

    private static final int CHUNK = 8192;

    private final ContentType type;
    private final String encoding;
    private final Spool body;
    private final Optional<CanonicalJson> json;

    /** @param headers gives all field lines of a name */
    public RequestContent(Function<String, List<String>> headers, Spool body) {
        this.type = ContentType.parse(headers.apply("Content-Type"));
        this.encoding = encoding(headers.apply("Content-Encoding"));
        this.body = body;
        this.json = type.json() && body.size() <= CanonicalJson.MAX_BYTES
                ? CanonicalJson.parse(body.bytes())
                : Optional.empty();
    }

    /** The media type in its canonical form; empty if there is none. */
    public String type() {
        return type.canonical();
    }

    /** How the body is encoded, such as {@code gzip}; empty if it is not. */
    public String encoding() {
        return encoding;
    }

    private static String encoding(List<String> lines) {
        return lines.isEmpty() ? "" : codings(lines);
    }

    private static String codings(List<String> lines) {
        return lines.stream()
                .flatMap(line -> Stream.of(line.split(",")))
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
                .collect(Collectors.joining(","));
    }

    /** Whether the body says that it is JSON. */
    public boolean isJson() {
        return type.json();
    }

    /** Whether the body says that it is a form in UTF-8. */
    public boolean isForm() {
        return type.isForm();
    }

    public long size() {
        return body.size();
    }

    /** Reads the body from the start. */
    public InputStream open() throws IOException {
        return body.open();
    }

    /** The body as JSON, if it says that it is and has a canonical form. */
    public Optional<CanonicalJson> json() {
        return json;
    }

    public byte[] sha256() {
        MessageDigest digest = LengthPrefixedDigest.newSha256();
        byte[] chunk = new byte[CHUNK];
        try (InputStream in = body.open()) {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                digest.update(chunk, 0, n);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the spooled request body", e);
        }
        return digest.digest();
    }
}
