package dev.semel.http;

import dev.semel.Key;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.json.CanonicalJson;
import dev.semel.util.LengthPrefixedDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The value of a key that the client does not send, made from its {@link KeySource}. */
final class DerivedKey {

    private DerivedKey() {}

    /** The key, or {@code null} if the request lacks what it is made of. */
    static @Nullable String of(KeySource source, String operation, RequestHead head, RequestContent content) {
        if (source instanceof KeySource.Natural natural) {
            String name = natural.name().apply(head);
            return name == null ? null : Key.deterministicValue(operation, name);
        }
        if (source instanceof KeySource.NaturalFields natural) {
            return content.json()
                    .filter(natural.fields()::allPresent)
                    .map(json -> base64(digest(LengthPrefixedDigest.sha256(), operation, natural.fields(), json)))
                    .orElse(null);
        }
        if (source instanceof KeySource.BodyHash hash) {
            LengthPrefixedDigest digest = LengthPrefixedDigest.hmacSha256(hash.secret());
            return base64(content.json()
                    .map(json -> digest(digest, operation, hash.fields(), json))
                    .orElseGet(() -> digest.add(operation)
                            .add("bytes")
                            .add(content.sha256())
                            .bytes()));
        }
        throw new IllegalStateException("a key from a header is not derived");
    }

    private static byte[] digest(LengthPrefixedDigest digest, String operation, Fields fields, CanonicalJson json) {
        digest.add(operation).add("json");
        fields.addTo(digest, json);
        return digest.bytes();
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
