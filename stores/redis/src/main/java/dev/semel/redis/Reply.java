package dev.semel.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a function in Redis returned: integers and strings of bytes. */
record Reply(List<Object> parts) {

    int size() {
        return parts.size();
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

    /** A number that was returned as text, because it is one in the record. */
    long numeral(int i) {
        return Long.parseLong(text(i));
    }

    @SuppressWarnings("unchecked")
    Reply list(int i) {
        return new Reply((List<Object>) parts.get(i));
    }
}
