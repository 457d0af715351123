package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.redis.Memory.Sighting;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.OutcomeBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The arguments of a function in Redis, in their order. */
final class Args {

    private static final int NONCE_LENGTH = 16;
    private static final int SETTLEMENT_LENGTH = 1 + 3 * Double.BYTES;

    private final List<byte[]> values = new ArrayList<>(10);

    Args add(byte[] value) {
        values.add(value);
        return this;
    }

    Args add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Args add(long number) {
        return add(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    Args add(Duration duration) {
        return add(Micros.of(duration));
    }

    Args add(UUID nonce) {
        return add(put(ByteBuffer.allocate(NONCE_LENGTH), nonce).array());
    }

    /** The two arguments of an outcome: the result with the ends of its retention, packed, and the outcome. */
    Args add(Outcome outcome, Retention retention) {
        return add(put(ByteBuffer.allocate(SETTLEMENT_LENGTH), outcome, retention)
                        .array())
                .add(OutcomeBytes.encode(outcome));
    }

    private static ByteBuffer put(ByteBuffer packed, Outcome outcome, Retention retention) {
        return packed.put((byte) (outcome.isSuccess() ? 's' : 'f'))
                .putDouble(Micros.of(retention.active()))
                .putDouble(Micros.of(retention.active().plus(retention.tombstone())))
                .putDouble(Micros.of(retention.total()));
    }

    /** The head and the body of a settle: see {@code settle.lua}. */
    Args add(Lease lease, Outcome outcome, Retention retention) {
        ByteBuffer head = ByteBuffer.allocate(Double.BYTES + NONCE_LENGTH + SETTLEMENT_LENGTH)
                .putDouble(lease.token());
        return add(put(put(head, lease.nonce()), outcome, retention).array()).add(OutcomeBytes.encode(outcome));
    }

    /** The head and the body of a claim: see {@code claim.lua}. Numbers are doubles, because Lua has no others. */
    Args add(ClaimRequest request) {
        byte[] who = Who.encode(request);
        return add(ByteBuffer.allocate(Double.BYTES + 1)
                        .putDouble(Micros.of(request.lease()))
                        .put((byte) (request.takeOver() ? 1 : 0))
                        .array())
                .add(put(
                                ByteBuffer.allocate(NONCE_LENGTH + Fingerprint.LENGTH + Integer.BYTES + who.length),
                                request.nonce())
                        .put(request.fingerprint().bytes())
                        .putInt(who.length)
                        .put(who)
                        .array());
    }

    /** What this process knows of a bucket, packed. */
    Args add(Memory memory, int bucket) {
        Sighting seen = memory.seen(bucket);
        return add(ByteBuffer.allocate(3 * Double.BYTES)
                .putDouble(memory.epoch())
                .putDouble(seen.term())
                .putDouble(seen.clock())
                .array());
    }

    /** A record of another store: see {@code import.lua}. */
    Args add(KeyRecord record, Instant asOf) {
        Outcome outcome = record.outcome();
        char state = outcome == null ? 'u' : outcome.isSuccess() ? 's' : 'f';
        ByteBuffer packed =
                ByteBuffer.allocate(1 + NONCE_LENGTH + Fingerprint.LENGTH + 7 * Double.BYTES + Integer.BYTES);
        put(packed.put((byte) state), UUID.randomUUID())
                .put(record.fingerprint().bytes())
                .putDouble(record.token())
                .putInt(record.attempt())
                .putDouble(micros(asOf, record.claimedAt()))
                .putDouble(micros(asOf, record.leaseUntil()))
                .putDouble(micros(asOf, record.settledAt()))
                .putDouble(micros(asOf, record.expiresAt()))
                .putDouble(micros(asOf, record.freeAt()))
                .putDouble(micros(asOf, record.removableAt()));
        add(packed.array())
                .add(new Who(record.key(), record.operation(), record.traceId(), record.retention()).encode())
                .add(outcome == null ? new byte[0] : OutcomeBytes.encode(outcome))
                .add(Records.history(record.history()));
        record.steps().forEach((name, result) -> add(name).add(result));
        return this;
    }

    private static long micros(Instant asOf, @Nullable Instant time) {
        return time == null ? 0 : ChronoUnit.MICROS.between(asOf, time);
    }

    private static ByteBuffer put(ByteBuffer packed, UUID nonce) {
        return packed.putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
    }

    byte[][] toArray() {
        return values.toArray(byte[][]::new);
    }
}
