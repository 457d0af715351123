package dev.semel.http;

import dev.semel.Key;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the key of a request comes from. */
public sealed interface KeySource {

    /** The client names the operation in a header. */
    record ClientHeader() implements KeySource {}

    /**
     * The domain names the operation: an order's number, say.
     *
     * @param name the natural key, or {@code null} if the request has none: it is then refused
     */
    record Natural(Function<RequestHead, @Nullable String> name) implements KeySource {}

    /** Fields of a JSON body name the operation; a request that lacks one is refused. */
    record NaturalFields(Fields fields) implements KeySource {}

    /**
     * Equal bodies are the same operation, for clients that cannot be changed. The window in which they are is the
     * policy's retention, which slides: unlike in fixed windows, no two requests are told apart by a boundary that
     * happens to lie between them.
     *
     * @param secret keeps whoever reads the store from finding out a body by trial; the same on all nodes
     */
    record BodyHash(byte[] secret, Fields fields) implements KeySource {

        private static final int MIN_SECRET = 16;

        public BodyHash {
            if (secret.length < MIN_SECRET) {
                throw new IllegalArgumentException(
                        "the secret of a body hash must have at least " + MIN_SECRET + " bytes, got " + secret.length);
            }
        }
    }

    static KeySource header() {
        return new ClientHeader();
    }

    static KeySource natural(Function<RequestHead, @Nullable String> name) {
        return new Natural(name);
    }

    static KeySource naturalFields(String... pointers) {
        return new NaturalFields(Fields.only(pointers));
    }

    static KeySource bodyHash(byte[] secret, Fields fields) {
        return new BodyHash(secret, fields);
    }

    /** The value of a key that the client does not send, or {@code null} if the request lacks what it is made of. */
    default @Nullable String derive(String operation, RequestHead head, RequestContent content) {
        if (this instanceof Natural natural) {
            String name = natural.name().apply(head);
            return name == null ? null : Key.deterministicValue(operation, name);
        }
        if (this instanceof NaturalFields natural) {
            return content.json()
                    .filter(natural.fields()::allPresent)
                    .map(json -> base64(digest(LengthPrefixed.sha256(), operation, natural.fields(), json)))
                    .orElse(null);
        }
        if (this instanceof BodyHash hash) {
            LengthPrefixed digest = LengthPrefixed.hmacSha256(hash.secret());
            return base64(content.json()
                    .map(json -> digest(digest, operation, hash.fields(), json))
                    .orElseGet(() -> digest.add(operation)
                            .add("bytes")
                            .add(content.sha256())
                            .bytes()));
        }
        throw new IllegalStateException("a key from a header is not derived");
    }

    private static byte[] digest(LengthPrefixed digest, String operation, Fields fields, CanonicalJson json) {
        digest.add(operation).add("json");
        fields.addTo(digest, json);
        return digest.bytes();
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
