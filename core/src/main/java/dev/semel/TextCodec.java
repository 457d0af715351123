package dev.semel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Text in UTF-8, or {@code null}: an operation that returns nothing has a result all the same. */
final class TextCodec implements Codec<String> {

    static final TextCodec INSTANCE = new TextCodec();

    /** Occurs in no text, and is not the same as an empty one. */
    private static final byte[] NULL = {(byte) 0xFF};

    private TextCodec() {}

    @Override
    public byte[] encode(@Nullable String value) {
        return value == null ? NULL.clone() : value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    @SuppressWarnings("NullAway") // Gives back what it was given.
    public String decode(byte[] bytes) {
        return Arrays.equals(bytes, NULL) ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
