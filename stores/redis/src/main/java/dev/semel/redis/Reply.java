package dev.semel.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a function in Redis returned: integers and strings of bytes. */
record Reply(List<Object> parts) {

    /** One of several answers: a list of parts, or a part alone. */
    @SuppressWarnings("unchecked")
    static Reply of(Object answer) {
        return new Reply(answer instanceof List<?> parts ? (List<Object>) parts : List.of(answer));
    }

    int size() {
        return parts.size();
    }

    /** Whether this is nothing but one string of bytes: then it holds numbers, packed. */
    boolean isPacked() {
        return parts.size() == 1 && parts.get(0) instanceof byte[];
    }

    /** Whether this is a number, or begins with one. */
    boolean isNumber() {
        return parts.get(0) instanceof Long;
    }

    ByteBuffer packed(int i) {
        return ByteBuffer.wrap(bytes(i));
    }

    long number(int i) {
        return (Long) parts.get(i);
    }

    byte[] bytes(int i) {
        return (byte[]) parts.get(i);
    }

    String text(int i) {
        return new String(bytes(i), StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked")
    Reply list(int i) {
        return new Reply((List<Object>) parts.get(i));
    }
}
