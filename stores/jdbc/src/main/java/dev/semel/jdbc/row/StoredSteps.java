package dev.semel.jdbc.row;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of step results: one after the other, each a name and a result preceded by their lengths.
 *
 * <p>A result is only ever appended. When a name comes twice, because an append was sent again, the first one counts.
 */
public final class StoredSteps {

    private StoredSteps() {}

    public static byte[] encode(String name, byte[] result) {
        byte[] encodedName = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Integer.BYTES + encodedName.length + result.length)
                .putInt(encodedName.length)
                .put(encodedName)
                .putInt(result.length)
                .put(result)
                .array();
    }

    /** {@code null} if there are none. */
    public static byte @Nullable [] encode(Map<String, byte[]> steps) {
        if (steps.isEmpty()) {
            return null;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        steps.forEach((name, result) -> all.writeBytes(encode(name, result)));
        return all.toByteArray();
    }

    public static Map<String, byte[]> decode(byte @Nullable [] stored) {
        if (stored == null) {
            return Map.of();
        }
        Map<String, byte[]> steps = new LinkedHashMap<>();
        ByteBuffer in = ByteBuffer.wrap(stored);
        while (in.hasRemaining()) {
            String name = new String(part(in), StandardCharsets.UTF_8);
            steps.putIfAbsent(name, part(in));
        }
        return steps;
    }

    private static byte[] part(ByteBuffer in) {
        byte[] part = new byte[in.getInt()];
        in.get(part);
        return part;
    }
}
