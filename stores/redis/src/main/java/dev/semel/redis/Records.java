package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.OutcomeBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a record as {@code find.lua} returns it: the server's time, the record itself, and the hash of its extras. The
 * layout is described in {@code common.lua}.
 */
final class Records {

    private static final String STEP = "s:";
    private static final int NONCE_LENGTH = 16;

    private Records() {}

    static Optional<KeyRecord> read(Reply reply) {
        byte[] bytes = reply.bytes(1);
        if (bytes.length == 0) {
            return Optional.empty();
        }
        Reply extras = reply.list(2);
        byte[] history = new byte[0];
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int i = 0; i < extras.size(); i += 2) {
            String field = extras.text(i);
            if (field.startsWith(STEP)) {
                steps.put(field.substring(STEP.length()), extras.bytes(i + 1));
            } else if (field.equals("history")) {
                history = extras.bytes(i + 1);
            }
        }
        return Optional.of(record(ByteBuffer.wrap(bytes), steps, history(history), reply.number(0)));
    }

    private static KeyRecord record(ByteBuffer in, Map<String, byte[]> steps, List<HistoryEntry> history, long now) {
        char state = (char) in.get();
        in.get();
        int attempt = in.getInt();
        long claimed = number(in);
        long until = number(in);
        long token = number(in);
        in.position(in.position() + NONCE_LENGTH);
        byte[] fingerprint = new byte[Fingerprint.LENGTH];
        in.get(fingerprint);
        byte[] who = new byte[in.getInt()];
        in.get(who);
        boolean settled = in.hasRemaining();
        long settledAt = 0;
        long expires = 0;
        if (settled) {
            state = (char) in.get();
            settledAt = number(in);
            expires = number(in);
            in.position(in.position() + 2 * Double.BYTES);
        }
        byte[] outcome = new byte[in.remaining()];
        in.get(outcome);
        Who whose = Who.decode(who);
        return new KeyRecord(
                whose.key(),
                whose.operation(),
                state(state, until, expires, now),
                attempt,
                token,
                Fingerprint.fromBytes(fingerprint),
                Micros.instant(claimed),
                Micros.instant(until),
                whose.retention(),
                settled ? Micros.instant(settledAt) : null,
                settled ? Micros.instant(expires) : null,
                settled ? OutcomeBytes.decode(outcome) : null,
                steps,
                history,
                whose.traceId());
    }

    private static KeyState state(char state, long until, long expires, long now) {
        return switch (state) {
            case 'p' -> now < until ? KeyState.PENDING : KeyState.LAPSED;
            case 'u' -> KeyState.UNKNOWN;
            case 's' -> now < expires ? KeyState.SUCCEEDED : KeyState.EXPIRED;
            case 'f' -> now < expires ? KeyState.FAILED : KeyState.EXPIRED;
            default -> throw new IllegalArgumentException("a record has the unknown state \"" + state + "\"");
        };
    }

    /** Lua has no other numbers; a double holds these exactly. */
    private static long number(ByteBuffer in) {
        return (long) in.getDouble();
    }

    /** What {@code note()} would have written. */
    static byte[] history(List<HistoryEntry> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (HistoryEntry entry : entries) {
            byte[] event = entry.event().getBytes(StandardCharsets.UTF_8);
            byte[] note = entry.note().getBytes(StandardCharsets.UTF_8);
            String line = String.format(
                    Locale.ROOT,
                    "%d %d %d %d %d\n",
                    ChronoUnit.MICROS.between(Instant.EPOCH, entry.at()),
                    entry.attempt(),
                    entry.token(),
                    event.length,
                    note.length);
            bytes.writeBytes(line.getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(event);
            bytes.writeBytes(note);
        }
        return bytes.toByteArray();
    }

    /** Entries as {@code note()} writes them: a line of numbers, of which the last two are the lengths of two texts. */
    private static List<HistoryEntry> history(byte[] bytes) {
        List<HistoryEntry> entries = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int end = at;
            while (bytes[end] != '\n') {
                end++;
            }
            String[] line = new String(bytes, at, end - at, StandardCharsets.US_ASCII).split(" ");
            int event = Integer.parseInt(line[3]);
            int note = Integer.parseInt(line[4]);
            entries.add(new HistoryEntry(
                    Micros.instant(Long.parseLong(line[0])),
                    Integer.parseInt(line[1]),
                    Long.parseLong(line[2]),
                    new String(bytes, end + 1, event, StandardCharsets.UTF_8),
                    new String(bytes, end + 1 + event, note, StandardCharsets.UTF_8)));
            at = end + 1 + event + note;
        }
        return List.copyOf(entries);
    }
}
