package dev.semel.http;

import dev.semel.Fingerprint;
import dev.semel.http.fingerprint.CanonicalUri;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.json.CanonicalJson;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The fingerprint of a request: method, path, query, content type, content encoding and body, and its host where rules say
 * so, each in a canonical form.
 */
final class RequestFingerprint {

    /** To be raised with every change to what follows, so that no retry across an upgrade is taken for a mismatch. */
    static final int VERSION = 2;

    /**
     * The common operation of all HTTP requests, whatever the name of their operation: method and path distinguish
     * them, and the name of a route or a method may change between a request and its retry.
     */
    static final String OPERATION = "http";

    private static final String HOST_RULE = "host";

    private RequestFingerprint() {}

    static Fingerprint of(RequestHead head, RequestContent content, Fields fields, boolean comparesHost) {
        Optional<CanonicalJson> json = content.json();
        byte[] body = json.isPresent() ? LengthPrefixedDigest.sha256Of(fields.parts(json.get())) : content.sha256();
        Fingerprint fingerprint = Fingerprint.of(
                VERSION,
                utf8(head.method().toUpperCase(Locale.ROOT)),
                utf8(CanonicalUri.path(head.path())),
                utf8(CanonicalUri.query(head.query())),
                utf8(
                        comparesHost
                                ? String.join(",", head.headers().lines("Host")).toLowerCase(Locale.ROOT)
                                : ""),
                utf8(content.type()),
                utf8(content.encoding()),
                utf8(json.isPresent() ? "json" : "bytes"),
                body);
        return fields.governing(fingerprint, comparesHost ? new String[] {HOST_RULE} : new String[0])
                .forOperation(OPERATION);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
