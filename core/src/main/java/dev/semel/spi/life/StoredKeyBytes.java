package dev.semel.spi.life;

import dev.semel.Fingerprint;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.life.StoredKey.Settlement;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored key as bytes, for engines that keep it in one piece. They begin with the number of their format. */
public final class StoredKeyBytes {

    private static final int FORMAT = 1;

    private StoredKeyBytes() {}

    public static byte[] encode(StoredKey key) {
        Output out = new Output();
        out.room(1).put((byte) FORMAT);
        out.text(key.key().namespace().toString());
        out.text(key.key().scope());
        out.text(key.key().value());
        out.text(key.operation());
        out.bytes(key.fingerprint().bytes());
        UUID nonce = key.nonce();
        out.room(2 * Long.BYTES).putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
        out.text(RetentionText.encode(key.retention()));
        out.text(key.traceId());
        out.room(Long.BYTES + Integer.BYTES).putLong(key.token()).putInt(key.attempt());
        out.time(key.claimedAt());
        out.time(key.leaseUntil());
        out.flag(key.isUnknown());
        out.room(Integer.BYTES).putInt(key.steps().size());
        for (Map.Entry<String, byte[]> step : key.steps().entrySet()) {
            out.text(step.getKey());
            out.bytes(step.getValue());
        }
        out.room(Integer.BYTES).putInt(key.history().size());
        for (HistoryEntry entry : key.history()) {
            out.time(entry.at());
            out.room(Integer.BYTES + Long.BYTES).putInt(entry.attempt()).putLong(entry.token());
            out.text(entry.event());
            out.text(entry.note());
        }
        Settlement settlement = key.settlement();
        out.flag(settlement != null);
        if (settlement != null) {
            out.time(settlement.settledAt());
            out.time(settlement.expiresAt());
            out.time(settlement.freeAt());
            out.time(settlement.removableAt());
            out.bytes(OutcomeBytes.encode(settlement.outcome()));
        }
        return Arrays.copyOf(out.buffer.array(), out.buffer.position());
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

        void flag(boolean flag) {
            room(1).put((byte) (flag ? 1 : 0));
        }

        void time(Instant time) {
            room(Long.BYTES).putLong(ChronoUnit.MICROS.between(Instant.EPOCH, time));
        }

        void text(@Nullable String text) {
            bytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
        }

        void bytes(byte @Nullable [] bytes) {
            if (bytes == null) {
                room(Integer.BYTES).putInt(-1);
            } else {
                room(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
            }
        }
    }

    /** Reads what {@link #encode} gave. */
    public static StoredKey decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalArgumentException("a stored key of format " + format
                        + " was written by a newer release; this one reads format " + FORMAT);
            }
            Namespace namespace = Namespace.parse(name(in));
            StoredKey.Builder key = StoredKey.builder(
                    namespace.key(name(in), name(in)),
                    name(in),
                    Fingerprint.fromBytes(bytes(in)),
                    new UUID(in.readLong(), in.readLong()),
                    RetentionText.decode(text(in)),
                    text(in));
            long token = in.readLong();
            key.attempt(in.readInt(), token).lease(time(in), time(in)).unknown(in.readBoolean());
            int steps = in.readInt();
            Map<String, byte[]> results = new LinkedHashMap<>();
            for (int i = 0; i < steps; i++) {
                results.put(name(in), bytes(in));
            }
            int entries = in.readInt();
            List<HistoryEntry> history = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                history.add(new HistoryEntry(time(in), in.readInt(), in.readLong(), name(in), name(in)));
            }
            key.steps(results).history(history);
            if (in.readBoolean()) {
                Instant settledAt = time(in);
                Instant expiresAt = time(in);
                Instant freeAt = time(in);
                Instant removableAt = time(in);
                Outcome outcome = OutcomeBytes.decode(bytes(in));
                key.settled(new Settlement(outcome, settledAt, expiresAt, freeAt, removableAt));
            }
            return key.build();
        } catch (IOException e) {
            throw new IllegalArgumentException("a stored key of " + bytes.length + " bytes is cut off", e);
        }
    }

    private static Instant time(DataInputStream in) throws IOException {
        return Instant.EPOCH.plus(in.readLong(), ChronoUnit.MICROS);
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        byte[] utf8 = bytesOrNull(in);
        return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
    }

    private static String name(DataInputStream in) throws IOException {
        return Objects.requireNonNull(text(in), "a stored key lacks a name");
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        return Objects.requireNonNull(bytesOrNull(in), "a stored key lacks some bytes");
    }

    private static byte @Nullable [] bytesOrNull(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }
}
