package dev.semel.spi.life;

import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.util.Micros;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A cell as bytes, without its version, for engines that keep it in one value. */
public final class CellBytes {

    private static final int HEAD = 2 * Long.BYTES;
    private static final long NEVER = Long.MAX_VALUE;

    private CellBytes() {}

    static byte[] encode(Cell cell) {
        StoredKey key = cell.key();
        byte[] body = key == null ? new byte[0] : StoredKeyBytes.encode(key);
        Instant removableAt = cell.removableAt();
        return ByteBuffer.allocate(HEAD + body.length)
                .putLong(cell.token())
                .putLong(removableAt == null ? NEVER : Micros.of(removableAt))
                .put(body)
                .array();
    }

    /**
     * The bytes of a cell. If they are more than the limit, a {@link PayloadTooLargeException} for a settled key, and a {@link
     * StoreException} for one whose steps take too much.
     */
    public static byte[] encode(Cell cell, int limit) {
        byte[] bytes = encode(cell);
        if (bytes.length <= limit) {
            return bytes;
        }
        StoredKey key = cell.key();
        StoredKey.Settlement settlement = key == null ? null : key.settlement();
        byte[] payload = settlement == null ? null : settlement.outcome().payload();
        if (payload != null) {
            throw new PayloadTooLargeException(payload.length, limit);
        }
        throw new StoreException(
                "no room for a key of " + bytes.length + " bytes: with its steps, a key may have " + limit
                        + " bytes in this store; store large results elsewhere, and record their location",
                null);
    }

    /** Reads the form that {@link #encode} returns. */
    public static Cell decode(byte[] bytes, long version) {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        long token = head.getLong();
        long removableAt = head.getLong();
        return new Cell(
                version,
                token,
                bytes.length == HEAD ? null : StoredKeyBytes.decode(Arrays.copyOfRange(bytes, HEAD, bytes.length)),
                removableAt == NEVER ? null : Micros.toInstant(removableAt));
    }

    /** Whether two cells differ in nothing but their version. */
    static boolean sameContent(@Nullable Cell one, Cell other) {
        return one != null && Arrays.equals(encode(one), encode(other));
    }
}
