package dev.semel.util;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Text in UTF-8, or {@code null} for an operation that returns nothing. */
public final class NullableText {

    /** Occurs in no text, and is not the same as an empty one. */
    private static final byte[] NULL = {(byte) 0xFF};

    private NullableText() {}

    public static byte[] encode(@Nullable String value) {
        return value == null ? NULL.clone() : value.getBytes(StandardCharsets.UTF_8);
    }

    public static @Nullable String decode(byte[] bytes) {
        return Arrays.equals(bytes, NULL) ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
