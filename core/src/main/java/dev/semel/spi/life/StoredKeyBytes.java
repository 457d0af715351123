package dev.semel.spi.life;

import dev.semel.Fingerprint;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.life.StoredKey.Settlement;
import dev.semel.util.Micros;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored key as bytes, for engines that keep it in one piece. They begin with the number of their format. A number has as
 * many bytes as it needs, seven bits in each, so that a key costs little more than its names.
 */
public final class StoredKeyBytes {

    private static final int FORMAT = 1;

    /** How many bits of a number are in a byte; the next one says whether another byte follows. */
    private static final int BITS = 7;

    private static final long CONTINUED = 1 << BITS;
    private static final int MOST_BYTES = 10;

    private StoredKeyBytes() {}

    public static byte[] encode(StoredKey key) {
        Output out = new Output();
        out.number(FORMAT);
        out.text(key.key().namespace().toString());
        out.text(key.key().scope());
        out.text(key.key().value());
        out.text(key.operation());
        out.bytes(key.fingerprint().bytes());
        UUID nonce = key.nonce();
        out.room(2 * Long.BYTES).putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
        out.text(RetentionText.encode(key.retention()));
        out.text(key.traceId());
        out.number(key.token());
        out.number(key.attempt());
        out.time(key.claimedAt());
        out.time(key.leaseUntil());
        out.number(key.isUnknown() ? 1 : 0);
        out.number(key.steps().size());
        for (Map.Entry<String, byte[]> step : key.steps().entrySet()) {
            out.text(step.getKey());
            out.bytes(step.getValue());
        }
        out.number(key.history().size());
        for (HistoryEntry entry : key.history()) {
            out.time(entry.at());
            out.number(entry.attempt());
            out.number(entry.token());
            out.text(entry.event());
            out.text(entry.note());
        }
        Settlement settlement = key.settlement();
        out.number(settlement == null ? 0 : 1);
        if (settlement != null) {
            out.time(settlement.settledAt());
            out.time(settlement.expiresAt());
            out.time(settlement.freeAt());
            out.time(settlement.removableAt());
            out.bytes(OutcomeBytes.encode(settlement.outcome()));
        }
        return Arrays.copyOf(out.buffer.array(), out.buffer.position());
    }

    /** Reads the form that {@link #encode} returns. */
    public static StoredKey decode(byte[] bytes) {
        Input in = new Input(ByteBuffer.wrap(bytes));
        try {
            long format = in.number();
            if (format != FORMAT) {
                throw new IllegalArgumentException("a stored key of format " + format
                        + " was written by a newer release; this one reads format " + FORMAT);
            }
            return decode(in);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a stored key of " + bytes.length + " bytes is cut off", e);
        }
    }

    private static StoredKey decode(Input in) {
        Namespace namespace = Namespace.parse(in.name());
        StoredKey.Builder key = StoredKey.builder(
                namespace.key(in.name(), in.name()),
                in.name(),
                Fingerprint.fromBytes(in.bytes()),
                new UUID(in.buffer.getLong(), in.buffer.getLong()),
                RetentionText.decode(in.text()),
                in.text());
        long token = in.number();
        key.attempt(in.count(), token).lease(in.time(), in.time()).unknown(in.number() == 1);
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int left = in.count(); left > 0; left--) {
            steps.put(in.name(), in.bytes());
        }
        List<HistoryEntry> history = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            history.add(new HistoryEntry(in.time(), in.count(), in.number(), in.name(), in.name()));
        }
        key.steps(steps).history(history);
        if (in.number() == 1) {
            Instant settledAt = in.time();
            Instant expiresAt = in.time();
            Instant freeAt = in.time();
            Instant removableAt = in.time();
            Outcome outcome = OutcomeBytes.decode(in.bytes());
            key.settled(new Settlement(outcome, settledAt, expiresAt, freeAt, removableAt));
        }
        return key.build();
    }

    /** A buffer that grows. A stream would take a lock for every byte. */
    private static final class Output {

        private ByteBuffer buffer = ByteBuffer.allocate(512);

        /** The buffer, with room for this many bytes more. */
        ByteBuffer room(int bytes) {
            if (buffer.remaining() < bytes) {
                int needed = Math.addExact(buffer.position(), bytes);
                byte[] larger = Arrays.copyOf(buffer.array(), Math.max(2 * buffer.capacity(), needed));
                buffer = ByteBuffer.wrap(larger).position(buffer.position());
            }
            return buffer;
        }

        /** Writes the sign as the lowest bit, so that a small number is short whatever its sign is. */
        void number(long number) {
            long rest = (number << 1) ^ (number >> (Long.SIZE - 1));
            room(MOST_BYTES);
            while ((rest & -CONTINUED) != 0) {
                buffer.put((byte) (rest | CONTINUED));
                rest >>>= BITS;
            }
            buffer.put((byte) rest);
        }

        void time(Instant time) {
            number(Micros.of(time));
        }

        void text(@Nullable String text) {
            bytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
        }

        void bytes(byte @Nullable [] bytes) {
            number(bytes == null ? -1 : bytes.length);
            if (bytes != null) {
                room(bytes.length).put(bytes);
            }
        }
    }

    private record Input(ByteBuffer buffer) {

        long number() {
            long number = 0;
            for (int shift = 0; shift < Long.SIZE; shift += BITS) {
                byte next = buffer.get();
                number |= (next & (CONTINUED - 1)) << shift;
                if (next >= 0) {
                    return (number >>> 1) ^ -(number & 1);
                }
            }
            throw new IllegalArgumentException("a stored key contains a number that is too long");
        }

        int count() {
            return Math.toIntExact(number());
        }

        Instant time() {
            return Micros.toInstant(number());
        }

        @Nullable
        String text() {
            byte[] utf8 = bytesOrNull();
            return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
        }

        String name() {
            return Objects.requireNonNull(text(), "a stored key lacks a name");
        }

        byte[] bytes() {
            return Objects.requireNonNull(bytesOrNull(), "a stored key lacks some bytes");
        }

        private byte @Nullable [] bytesOrNull() {
            int length = count();
            if (length > buffer.remaining()) {
                throw new BufferUnderflowException();
            }
            if (length < 0) {
                return null;
            }
            byte[] bytes = new byte[length];
            buffer.get(bytes);
            return bytes;
        }
    }
}
