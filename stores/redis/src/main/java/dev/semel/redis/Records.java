package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.OutcomeBytes;
import dev.semel.spi.RetentionText;
import dev.semel.spi.life.StoredKey;
import dev.semel.spi.life.StoredKey.Settlement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as bytes in Redis. {@code keys.lua} describes the layout; what is opaque there begins with the number of its version.
 * Times and tokens are doubles, because Lua has no other numbers; a double holds these exactly.
 */
final class Records {

    /** State, attempt, times, token and nonce. */
    static final int BEGIN_LENGTH = 45;

    private static final int NONCE_AT = 29;
    private static final int LENGTH_AT = 77;
    private static final int LINE_LENGTH = 2 * Double.BYTES + Integer.BYTES;
    private static final int VERSION = 1;

    private Records() {}

    /** A new record from its nonce on: what is before that is for Redis to say. */
    static byte[] claim(ClaimRequest request) {
        byte[] whole = encode(StoredKey.claimedBy(request).attempt(1, 1).build());
        return Arrays.copyOfRange(whole, NONCE_AT, whole.length);
    }

    static byte[] encode(StoredKey key) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        int length;
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            Settlement end = key.settlement();
            boolean succeeded = end != null && end.outcome().isSuccess();
            out.writeByte(succeeded ? 's' : end != null ? 'f' : key.isUnknown() ? 'u' : 'p');
            out.writeInt(key.attempt());
            times(out, key.claimedAt(), key.leaseUntil());
            out.writeDouble(key.token());
            out.writeLong(key.nonce().getMostSignificantBits());
            out.writeLong(key.nonce().getLeastSignificantBits());
            if (end == null) {
                out.write(new byte[LENGTH_AT - BEGIN_LENGTH]);
            } else {
                times(out, end.settledAt(), end.expiresAt(), end.freeAt(), end.removableAt());
            }
            out.writeInt(0);
            out.write(key.fingerprint().bytes());
            out.writeByte(VERSION);
            // The namespace and the retention that nearly all keys have take no room.
            Namespace namespace = key.key().namespace();
            text(out, namespace.equals(Namespace.DEFAULT) ? null : namespace.toString());
            out.writeUTF(key.key().scope());
            out.writeUTF(key.key().value());
            out.writeUTF(key.operation());
            text(out, key.traceId());
            text(out, RetentionText.encode(key.retention()));
            length = out.size();
            for (Map.Entry<String, byte[]> step : key.steps().entrySet()) {
                out.write(step(step.getKey(), step.getValue()));
            }
            for (HistoryEntry entry : key.history()) {
                byte[] note = entry.note().getBytes(StandardCharsets.UTF_8);
                part(out, 'h', entry.event(), LINE_LENGTH + note.length);
                times(out, entry.at());
                out.writeInt(entry.attempt());
                out.writeDouble(entry.token());
                out.write(note);
            }
            if (end != null) {
                length = out.size();
                out.write(OutcomeBytes.encode(end.outcome()));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("key " + key.key() + " cannot be written: " + e.getMessage(), e);
        }
        return ByteBuffer.wrap(bytes.toByteArray()).putInt(LENGTH_AT, length).array();
    }

    /** A step as a part of a record. */
    static byte[] step(String name, byte[] result) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + result.length);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            part(out, 't', name, result.length);
            out.write(result);
        } catch (IOException e) {
            throw new IllegalArgumentException("a step cannot be written: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    private static void part(DataOutputStream out, char kind, String name, int length) throws IOException {
        out.writeByte(kind);
        out.writeUTF(name);
        out.writeInt(length);
    }

    /** Reads a record; {@code null} if it is empty. Where the outcome was left out, the key has an empty one. */
    static @Nullable StoredKey decode(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            char state = (char) in.readByte();
            int attempt = in.readInt();
            Instant claimed = time(in);
            Instant until = time(in);
            long token = (long) in.readDouble();
            UUID nonce = new UUID(in.readLong(), in.readLong());
            Instant[] ends = {time(in), time(in), time(in), time(in)};
            int length = in.readInt();
            StoredKey.Builder key =
                    who(in, nonce).attempt(attempt, token).lease(claimed, until).unknown(state == 'u');
            boolean settled = state == 's' || state == 'f';
            readParts(in, settled ? bytes.length - length : 0, key);
            if (settled) {
                byte[] rest = in.readAllBytes();
                Outcome leftOut = (state == 's' ? Outcome.succeeded() : Outcome.failed()).build();
                Outcome outcome = rest.length == 0 ? leftOut : OutcomeBytes.decode(rest);
                key.settled(new Settlement(outcome, ends[0], ends[1], ends[2], ends[3]));
            }
            return key.build();
        } catch (IOException e) {
            throw new IllegalArgumentException("a record of " + bytes.length + " bytes is cut off", e);
        }
    }

    private static StoredKey.Builder who(DataInputStream in, UUID nonce) throws IOException {
        Fingerprint fingerprint = Fingerprint.fromBytes(in.readNBytes(Fingerprint.LENGTH));
        int version = in.readByte();
        if (version != VERSION) {
            throw new IllegalArgumentException("a record of version " + version
                    + " was written by a newer release; this one reads version " + VERSION);
        }
        String namespace = text(in);
        Key key =
                new Key(namespace == null ? Namespace.DEFAULT : Namespace.parse(namespace), in.readUTF(), in.readUTF());
        String operation = in.readUTF();
        String traceId = text(in);
        return StoredKey.builder(key, operation, fingerprint, nonce, RetentionText.decode(text(in)), traceId);
    }

    /** Reads parts until this many bytes are left. */
    private static void readParts(DataInputStream in, int left, StoredKey.Builder key) throws IOException {
        Map<String, byte[]> steps = new LinkedHashMap<>();
        List<HistoryEntry> history = new ArrayList<>();
        while (in.available() > left) {
            boolean step = in.readByte() == 't';
            String name = in.readUTF();
            int length = in.readInt();
            if (step) {
                steps.put(name, in.readNBytes(length));
            } else {
                Instant at = time(in);
                int attempt = in.readInt();
                long token = (long) in.readDouble();
                String note = new String(in.readNBytes(length - LINE_LENGTH), StandardCharsets.UTF_8);
                history.add(new HistoryEntry(at, attempt, token, name, note));
            }
        }
        key.steps(steps).history(history);
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

    private static void times(DataOutputStream out, Instant... times) throws IOException {
        for (Instant time : times) {
            out.writeDouble(micros(time));
        }
    }

    private static Instant time(DataInputStream in) throws IOException {
        return instant(in.readDouble());
    }

    private static void text(DataOutputStream out, @Nullable String text) throws IOException {
        out.writeBoolean(text != null);
        if (text != null) {
            out.writeUTF(text);
        }
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        return in.readBoolean() ? in.readUTF() : null;
    }
}
