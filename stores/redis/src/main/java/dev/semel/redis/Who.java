package dev.semel.redis;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.spi.ClaimRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The part of a record that only people read: which key it is of, which operation, and which trace. */
record Who(Key key, String operation, @Nullable String traceId) {

    private static final byte VERSION = 1;

    static byte[] encode(ClaimRequest request) {
        byte[][] parts = {
            utf8(request.key().namespace().toString()),
            utf8(request.key().scope()),
            utf8(request.key().value()),
            utf8(request.operation()),
            request.traceId() == null ? null : utf8(request.traceId())
        };
        int length = 1;
        for (byte[] part : parts) {
            length += Integer.BYTES + (part == null ? 0 : part.length);
        }
        ByteBuffer out = ByteBuffer.allocate(length).put(VERSION);
        for (byte[] part : parts) {
            out.putInt(part == null ? -1 : part.length);
            if (part != null) {
                out.put(part);
            }
        }
        return out.array();
    }

    static Who decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a record of version " + version
                    + " was written by a newer release; this one reads version " + VERSION);
        }
        Key key = new Key(Namespace.parse(text(in)), text(in), text(in));
        return new Who(key, text(in), textOrNull(in));
    }

    private static String text(ByteBuffer in) {
        String text = textOrNull(in);
        if (text == null) {
            throw new IllegalArgumentException("a record lacks its scope, key or operation");
        }
        return text;
    }

    private static @Nullable String textOrNull(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        String text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return text;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
