package dev.semel;

import dev.semel.util.LengthPrefixedDigest;
import dev.semel.util.Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The fixed-size name of a key in a store: the first 128 bits of SHA-256 over namespace, scope and value.
 *
 * <p>Digests are ordered by their unsigned bits, so the order is the same on every node; stores that lock several keys
 * lock them in this order.
 */
public record KeyDigest(long high, long low) implements Comparable<KeyDigest> {

    static KeyDigest of(Key key) {
        ByteBuffer bytes = ByteBuffer.wrap(full(key));
        return new KeyDigest(bytes.getLong(), bytes.getLong());
    }

    static byte[] full(Key key) {
        return LengthPrefixedDigest.sha256Of(utf8(key.namespace().toString()), utf8(key.scope()), utf8(key.identity()));
    }

    private static byte[] utf8(String part) {
        return part.getBytes(StandardCharsets.UTF_8);
    }

    /** The same 128 bits as a UUID, for stores that have such a type. */
    public UUID asUuid() {
        return new UUID(high, low);
    }

    public static KeyDigest fromUuid(UUID uuid) {
        return new KeyDigest(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /** Reads the 32 hexadecimal digits that {@link #toString} prints. */
    public static KeyDigest parse(String hex) {
        if (!hex.matches("[0-9a-f]{32}")) {
            throw new IllegalArgumentException(
                    "a key digest has 32 lower-case hexadecimal digits, got " + Text.quote(hex));
        }
        return new KeyDigest(Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16));
    }

    @Override
    public int compareTo(KeyDigest other) {
        int first = Long.compareUnsigned(high, other.high);
        return first != 0 ? first : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
