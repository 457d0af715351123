package dev.semel.http;

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
}
