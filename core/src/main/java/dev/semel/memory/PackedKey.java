package dev.semel.memory;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKey.Settlement;
import dev.semel.util.Micros;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A settled key in two objects instead of seven. The collector copies each object of a key several times before it leaves them
 * alone, which costs more than all else that this store does for a key.
 */
final class PackedKey {

    private final Namespace namespace;
    private final String scope;
    private final String operation;
    private final Retention retention;
    private final @Nullable String traceId;
    private final long nonceHigh;
    private final long nonceLow;
    private final long token;
    private final int attempt;
    private final long claimedAt;
    private final long leaseUntil;
    private final long settledAt;
    private final long expiresAt;
    private final long freeAt;
    private final long removableAt;
    private final boolean success;
    private final short format;
    private final short status;
    private final @Nullable String contentType;
    private final List<Header> headers;
    private final boolean hasPayload;
    private final int valueLength;

    /** The fingerprint, the key's value and the payload. */
    private final byte[] bytes;

    private PackedKey(StoredKey key, Settlement settlement) {
        namespace = key.key().namespace();
        scope = key.key().scope();
        operation = key.operation();
        retention = key.retention();
        traceId = key.traceId();
        nonceHigh = key.nonce().getMostSignificantBits();
        nonceLow = key.nonce().getLeastSignificantBits();
        token = key.token();
        attempt = key.attempt();
        claimedAt = Micros.of(key.claimedAt());
        leaseUntil = Micros.of(key.leaseUntil());
        settledAt = Micros.of(settlement.settledAt());
        expiresAt = Micros.of(settlement.expiresAt());
        freeAt = Micros.of(settlement.freeAt());
        removableAt = Micros.of(settlement.removableAt());
        Outcome outcome = settlement.outcome();
        success = outcome.isSuccess();
        format = (short) outcome.format();
        status = (short) outcome.status();
        contentType = outcome.contentType();
        headers = outcome.headers();
        byte[] payload = outcome.payload();
        hasPayload = payload != null;
        byte[] value = key.key().value().getBytes(StandardCharsets.UTF_8);
        valueLength = value.length;
        ByteBuffer packed =
                ByteBuffer.allocate(Fingerprint.LENGTH + value.length + (payload == null ? 0 : payload.length));
        packed.put(key.fingerprint().bytes()).put(value);
        if (payload != null) {
            packed.put(payload);
        }
        bytes = packed.array();
    }

    /** A settled key as a packed one; any other, and one with steps or a history, as it is. */
    static @Nullable Object pack(@Nullable StoredKey key) {
        Settlement settlement = key == null ? null : key.settlement();
        return key == null
                        || settlement == null
                        || !key.steps().isEmpty()
                        || !key.history().isEmpty()
                ? key
                : new PackedKey(key, settlement);
    }

    /** Unpacks the key that {@link #pack} was called with. */
    static @Nullable StoredKey unpack(@Nullable Object packed) {
        return packed instanceof PackedKey key ? key.unpack() : (StoredKey) packed;
    }

    private StoredKey unpack() {
        ByteBuffer packed = ByteBuffer.wrap(bytes);
        Fingerprint fingerprint = Fingerprint.fromBytes(next(packed, Fingerprint.LENGTH));
        String value = new String(next(packed, valueLength), StandardCharsets.UTF_8);
        Outcome outcome = Outcome.builder(success ? Outcome.Result.SUCCEEDED : Outcome.Result.FAILED)
                .format(format)
                .status(status)
                .contentType(contentType)
                .headers(headers)
                .payload(hasPayload ? next(packed, packed.remaining()) : null)
                .build();
        return StoredKey.builder(
                        new Key(namespace, scope, value),
                        operation,
                        fingerprint,
                        new UUID(nonceHigh, nonceLow),
                        retention,
                        traceId)
                .attempt(attempt, token)
                .lease(Micros.toInstant(claimedAt), Micros.toInstant(leaseUntil))
                .settled(new Settlement(
                        outcome,
                        Micros.toInstant(settledAt),
                        Micros.toInstant(expiresAt),
                        Micros.toInstant(freeAt),
                        Micros.toInstant(removableAt)))
                .build();
    }

    /** Whether a purge has nothing to do with it. */
    static boolean isNeeded(Object packed, Moment moment) {
        return packed instanceof PackedKey key && !moment.hasPassed(Micros.toInstant(key.removableAt));
    }

    private static byte[] next(ByteBuffer packed, int length) {
        byte[] part = new byte[length];
        packed.get(part);
        return part;
    }
}
