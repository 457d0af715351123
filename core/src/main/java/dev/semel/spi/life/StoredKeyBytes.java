package dev.semel.spi.life;

import dev.semel.Fingerprint;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.OutcomeBytes;
import dev.semel.spi.RetentionText;
import dev.semel.spi.life.StoredKey.Settlement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            text(out, key.key().namespace().toString());
            text(out, key.key().scope());
            text(out, key.key().value());
            text(out, key.operation());
            bytes(out, key.fingerprint().bytes());
            out.writeLong(key.nonce().getMostSignificantBits());
            out.writeLong(key.nonce().getLeastSignificantBits());
            text(out, RetentionText.encode(key.retention()));
            text(out, key.traceId());
            out.writeLong(key.token());
            out.writeInt(key.attempt());
            time(out, key.claimedAt());
            time(out, key.leaseUntil());
            out.writeBoolean(key.isUnknown());
            out.writeInt(key.steps().size());
            for (Map.Entry<String, byte[]> step : key.steps().entrySet()) {
                text(out, step.getKey());
                bytes(out, step.getValue());
            }
            out.writeInt(key.history().size());
            for (HistoryEntry entry : key.history()) {
                time(out, entry.at());
                out.writeInt(entry.attempt());
                out.writeLong(entry.token());
                text(out, entry.event());
                text(out, entry.note());
            }
            Settlement settlement = key.settlement();
            out.writeBoolean(settlement != null);
            if (settlement != null) {
                time(out, settlement.settledAt());
                time(out, settlement.expiresAt());
                time(out, settlement.freeAt());
                time(out, settlement.removableAt());
                bytes(out, OutcomeBytes.encode(settlement.outcome()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
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

    private static void time(DataOutputStream out, Instant time) throws IOException {
        out.writeLong(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    private static Instant time(DataInputStream in) throws IOException {
        return Instant.EPOCH.plus(in.readLong(), ChronoUnit.MICROS);
    }

    private static void text(DataOutputStream out, @Nullable String text) throws IOException {
        bytes(out, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        byte[] utf8 = bytesOrNull(in);
        return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
    }

    private static String name(DataInputStream in) throws IOException {
        return Objects.requireNonNull(text(in), "a stored key lacks a name");
    }

    private static void bytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        return Objects.requireNonNull(bytesOrNull(in), "a stored key lacks some bytes");
    }

    private static byte @Nullable [] bytesOrNull(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }
}
