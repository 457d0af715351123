package dev.semel;

import java.nio.charset.StandardCharsets;

/** Turns a value into bytes that can be kept, and back. */
public interface Codec<T> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    static Codec<String> text() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        };
    }
}
