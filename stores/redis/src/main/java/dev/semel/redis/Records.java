package dev.semel.redis;

import dev.semel.Outcome;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.life.OutcomeBytes;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKey.Settlement;
import dev.semel.spi.life.StoredKeyBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as bytes in Redis: what Redis itself reads and writes (see {@code keys.lua}), around the bytes of the key as it was last
 * written from here. Times and tokens are doubles, because Lua has no other numbers; a double holds these exactly.
 */
final class Records {

    /** State, times, token, nonce and length. */
    static final int BEGIN_LENGTH = 45;

    private static final int NONCE_AT = 25;
    private static final int HEAD_LENGTH = 81;

    private Records() {}

    /** A new record from its nonce on: what is before that is for Redis to say. */
    static byte[] claim(ClaimRequest request) {
        byte[] bytes =
                StoredKeyBytes.encode(StoredKey.claimedBy(request).attempt(1, 1).build());
        int length = HEAD_LENGTH + bytes.length;
        ByteBuffer out = ByteBuffer.allocate(length - NONCE_AT);
        put(out, request.nonce()).putInt(length);
        return out.position(HEAD_LENGTH - NONCE_AT).put(bytes).array();
    }

    static byte[] encode(StoredKey key) {
        Settlement end = key.settlement();
        boolean succeeded = end != null && end.outcome().isSuccess();
        byte[] bytes = StoredKeyBytes.encode(key);
        int length = HEAD_LENGTH + bytes.length;
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put((byte) (succeeded ? 's' : end != null ? 'f' : key.isUnknown() ? 'u' : 'p'));
        out.putDouble(micros(key.claimedAt())).putDouble(micros(key.leaseUntil()));
        put(out.putDouble(key.token()), key.nonce()).putInt(length);
        if (end != null) {
            out.putDouble(micros(end.settledAt())).putDouble(micros(end.expiresAt()));
            out.putDouble(micros(end.freeAt()))
                    .putDouble(micros(end.removableAt()))
                    .putInt(length);
        }
        return out.position(HEAD_LENGTH).put(bytes).array();
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

    /** Reads a record; {@code null} if it is empty. Where the outcome was left out, the key has an empty one. */
    static @Nullable StoredKey decode(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        char state = (char) in.get();
        Instant claimed = instant(in.getDouble());
        Instant until = instant(in.getDouble());
        long token = (long) in.getDouble();
        UUID nonce = new UUID(in.getLong(), in.getLong());
        int length = in.getInt();
        Instant[] ends = {
            instant(in.getDouble()), instant(in.getDouble()), instant(in.getDouble()), instant(in.getDouble())
        };
        int outcomeAt = in.getInt();
        StoredKey old = StoredKeyBytes.decode(read(in, length - HEAD_LENGTH));
        Map<String, byte[]> steps = new LinkedHashMap<>(old.steps());
        while (in.position() < (outcomeAt == 0 ? bytes.length : outcomeAt)) {
            String name = new String(read(in, in.getInt()), StandardCharsets.UTF_8);
            steps.putIfAbsent(name, read(in, in.getInt()));
        }
        StoredKey.Builder key =
                StoredKey.builder(old.key(), old.operation(), old.fingerprint(), nonce, old.retention(), old.traceId());
        key.attempt(old.attempt(), token).lease(claimed, until).steps(steps).history(old.history());
        if (state == 's' || state == 'f') {
            Settlement end = old.settlement();
            Outcome leftOut = (state == 's' ? Outcome.succeeded() : Outcome.failed()).build();
            Outcome kept = in.hasRemaining() ? OutcomeBytes.decode(read(in, in.remaining())) : leftOut;
            key.settled(new Settlement(end == null ? kept : end.outcome(), ends[0], ends[1], ends[2], ends[3]));
        }
        return key.unknown(state == 'u').build();
    }

    private static byte[] read(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static Instant instant(double micros) {
        return Instant.EPOCH.plus((long) micros, ChronoUnit.MICROS);
    }
}
