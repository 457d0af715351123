package dev.semel.redis;

import dev.semel.Outcome;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.life.OutcomeBytes;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKey.Settlement;
import dev.semel.spi.life.StoredKeyBytes;
import dev.semel.util.Micros;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as bytes in Redis: what Redis itself reads and writes (see {@code keys.lua}), around the bytes of the key as it was last
 * written from here. Times and tokens are doubles, because Lua has no other numbers; a double holds these exactly.
 */
final class Records {

    /** Whether it is unknown, times, token, nonce and length. */
    static final int HEAD_LENGTH = 45;

    private static final int NONCE_AT = 25;
    private static final int SETTLED_LENGTH = 37;

    private Records() {}

    /** A new record from its nonce on: Redis fills in what is before that. */
    static byte[] claim(ClaimRequest request) {
        byte[] bytes =
                StoredKeyBytes.encode(StoredKey.claimedBy(request).attempt(1, 1).build());
        int length = HEAD_LENGTH + bytes.length;
        ByteBuffer out = ByteBuffer.allocate(length - NONCE_AT);
        return put(out, request.nonce()).putInt(length).put(bytes).array();
    }

    static byte[] encode(StoredKey key) {
        Settlement end = key.settlement();
        byte[] bytes = StoredKeyBytes.encode(
                end == null ? key : key.with().settled(null).build());
        byte[] outcome = end == null ? new byte[0] : OutcomeBytes.encode(end.outcome());
        int length = HEAD_LENGTH + bytes.length;
        ByteBuffer out = ByteBuffer.allocate(length + (end == null ? 0 : SETTLED_LENGTH + outcome.length));
        out.put((byte) (key.isUnknown() ? 'u' : 'p'));
        out.putDouble(Micros.of(key.claimedAt())).putDouble(Micros.of(key.leaseUntil()));
        put(out.putDouble(key.token()), key.nonce()).putInt(length).put(bytes);
        if (end != null) {
            out.putInt(0).put((byte) (end.outcome().isSuccess() ? 's' : 'f'));
            out.putDouble(Micros.of(end.settledAt())).putDouble(Micros.of(end.expiresAt()));
            out.putDouble(Micros.of(end.freeAt())).putDouble(Micros.of(end.removableAt()));
            out.put(outcome);
        }
        return out.array();
    }

    static ByteBuffer put(ByteBuffer out, UUID nonce) {
        return out.putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
    }

    /** A step as Redis adds it to a record. */
    static byte[] step(String name, byte[] result) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(2 * Integer.BYTES + text.length + result.length);
        out.putInt(text.length).put(text).putInt(result.length).put(result);
        return out.array();
    }

    /** Reads a record; {@code null} if it is empty. If the outcome was left out, the key has an empty one. */
    static @Nullable StoredKey decode(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        boolean unknown = in.get() == 'u';
        Instant claimed = time(in);
        Instant until = time(in);
        long token = (long) in.getDouble();
        UUID nonce = new UUID(in.getLong(), in.getLong());
        int length = in.getInt();
        StoredKey old = StoredKeyBytes.decode(read(in, length - HEAD_LENGTH));
        Map<String, byte[]> steps = new LinkedHashMap<>(old.steps());
        Settlement end = null;
        while (in.hasRemaining()) {
            String name = new String(read(in, in.getInt()), StandardCharsets.UTF_8);
            if (name.isEmpty()) {
                end = settlement(in);
            } else {
                steps.putIfAbsent(name, read(in, in.getInt()));
            }
        }
        StoredKey.Builder key =
                StoredKey.builder(old.key(), old.operation(), old.fingerprint(), nonce, old.retention(), old.traceId());
        key.attempt(old.attempt(), token).lease(claimed, until).steps(steps).history(old.history());
        return key.settled(end).unknown(unknown && end == null).build();
    }

    private static Settlement settlement(ByteBuffer in) {
        boolean succeeded = in.get() == 's';
        Instant settled = time(in);
        Instant expires = time(in);
        Instant free = time(in);
        Instant removable = time(in);
        Outcome outcome = in.hasRemaining()
                ? OutcomeBytes.decode(read(in, in.remaining()))
                : (succeeded ? Outcome.succeeded() : Outcome.failed()).build();
        return new Settlement(outcome, settled, expires, free, removable);
    }

    private static byte[] read(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static Instant time(ByteBuffer in) {
        return Micros.toInstant((long) in.getDouble());
    }
}
