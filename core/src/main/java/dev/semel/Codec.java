package dev.semel;

import dev.semel.util.NullableText;
import java.util.function.Function;

/** Converts a value to bytes for storage, and back. A codec for nullable values must accept and return {@code null}. */
public interface Codec<T> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    /** A codec that uses these two functions. */
    static <T> Codec<T> of(Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode) {
        return new Codec<>() {
            @Override
            public byte[] encode(T value) {
                return encode.apply(value);
            }

            @Override
            public T decode(byte[] bytes) {
                return decode.apply(bytes);
            }
        };
    }

    /** A codec for operations without a result: it encodes to no bytes, and decodes to {@code null}. */
    @SuppressWarnings("NullAway") // The only value of Void.
    static Codec<Void> nothing() {
        return of(value -> new byte[0], bytes -> null);
    }

    /** Text in UTF-8. {@code null} is kept as a byte that no such text contains. */
    @SuppressWarnings("NullAway") // Gives back what it was given.
    static Codec<String> text() {
        return of(NullableText::encode, NullableText::decode);
    }
}
