package dev.semel.redis;

import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Retention;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RetentionText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The part of a record that no function in Redis reads: which key it is of, which operation, which trace, and how long it
 * is kept once it is settled.
 */
record Who(Key key, String operation, @Nullable String traceId, Retention retention) {

    private static final byte VERSION = 1;
    private static final short NONE = -1;

    /** Namespace, scope, key and operation. */
    private static final int PARTS_BEFORE_TRACE = 4;

    static byte[] encode(ClaimRequest request) {
        return new Who(request.key(), request.operation(), request.traceId(), request.retention()).encode();
    }

    /** The namespace and the retention that nearly all keys have take no room. */
    byte[] encode() {
        String kept = RetentionText.encode(retention);
        byte[][] parts = {
            key.namespace().equals(Namespace.DEFAULT)
                    ? null
                    : utf8(key.namespace().toString()),
            utf8(key.scope()),
            utf8(key.value()),
            utf8(operation),
            traceId == null ? null : utf8(traceId)
        };
        int length = 1;
        for (byte[] part : parts) {
            length += Short.BYTES + (part == null ? 0 : part.length);
        }
        byte[] last = kept == null ? new byte[0] : utf8(kept);
        ByteBuffer out = ByteBuffer.allocate(length + last.length).put(VERSION);
        for (byte[] part : parts) {
            if (part == null) {
                out.putShort(NONE);
            } else if (part.length > Short.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a name of " + part.length + " bytes is too long; the most is " + Short.MAX_VALUE);
            } else {
                out.putShort((short) part.length).put(part);
            }
        }
        return out.put(last).array();
    }

    static Who decode(byte[] bytes) {
        ByteBuffer in = opened(bytes);
        String namespace = textOrNull(in);
        Key key = new Key(namespace == null ? Namespace.DEFAULT : Namespace.parse(namespace), text(in), text(in));
        String operation = text(in);
        String traceId = textOrNull(in);
        String kept =
                in.hasRemaining() ? new String(bytes, in.position(), in.remaining(), StandardCharsets.UTF_8) : null;
        return new Who(key, operation, traceId, RetentionText.decode(kept));
    }

    /** The trace alone, of what {@link #encode} gave and whatever stands behind it. */
    static @Nullable String traceId(byte[] bytes) {
        ByteBuffer in = opened(bytes);
        for (int part = 0; part < PARTS_BEFORE_TRACE; part++) {
            int length = in.getShort();
            in.position(in.position() + Math.max(0, length));
        }
        return textOrNull(in);
    }

    private static ByteBuffer opened(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a record of version " + version
                    + " was written by a newer release; this one reads version " + VERSION);
        }
        return in;
    }

    private static String text(ByteBuffer in) {
        String text = textOrNull(in);
        if (text == null) {
            throw new IllegalArgumentException("a record lacks its scope, key or operation");
        }
        return text;
    }

    private static @Nullable String textOrNull(ByteBuffer in) {
        int length = in.getShort();
        if (length == NONE) {
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
