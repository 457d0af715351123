package dev.semel.http.carrier;

import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a query or a form. It is read strictly: if two readers could see different values, it is refused.
 */
public final class Parameters {

    private static final int HEX = 16;

    private Parameters() {}

    /**
     * The value of the parameter, or {@code null} if there is none.
     *
     * @param where what the parameter is called in a complaint
     */
    public static @Nullable String value(String encoded, String name, String where) throws InvalidKeyException {
        String found = null;
        for (int start = 0; start <= encoded.length(); ) {
            int end = encoded.indexOf('&', start);
            end = end < 0 ? encoded.length() : end;
            int equals = encoded.indexOf('=', start);
            boolean hasValue = equals >= 0 && equals < end;
            if (name.equals(decode(encoded.substring(start, hasValue ? equals : end), true))) {
                if (found != null) {
                    throw new InvalidKeyException("The " + where + " is there more than once; send it once.");
                }
                String raw = hasValue ? encoded.substring(equals + 1, end) : "";
                String value = raw.indexOf(';') < 0 ? decode(raw, true) : null;
                if (value == null) {
                    throw new InvalidKeyException("The " + where + " is not encoded as UTF-8 with percent signs.");
                }
                found = value;
            }
            start = end + 1;
        }
        return found;
    }

    /** Decodes percent escapes; {@code null} if they are malformed. */
    static @Nullable String decode(String text, boolean plusIsSpace) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return null;
            }
            if (c == '%') {
                boolean whole = i + 2 < text.length();
                int high = whole ? Character.digit(text.charAt(i + 1), HEX) : -1;
                int low = whole ? Character.digit(text.charAt(i + 2), HEX) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                bytes.write(high * HEX + low);
                i += 2;
            } else {
                bytes.write(c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
