package dev.semel.redis;

import dev.semel.Fingerprint;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.OutcomeBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a record as {@code find.lua} returns it: the server's time, and all fields of the hash. */
final class Records {

    private static final String STEP = "s:";

    private Records() {}

    static Optional<KeyRecord> read(Reply reply) {
        Reply fields = reply.list(1);
        if (fields.size() == 0) {
            return Optional.empty();
        }
        Map<String, byte[]> hash = new HashMap<>();
        Map<String, byte[]> steps = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            String field = fields.text(i);
            if (field.startsWith(STEP)) {
                steps.put(field.substring(STEP.length()), fields.bytes(i + 1));
            } else {
                hash.put(field, fields.bytes(i + 1));
            }
        }
        return Optional.of(record(hash, steps, reply.number(0)));
    }

    private static KeyRecord record(Map<String, byte[]> hash, Map<String, byte[]> steps, long now) {
        Who who = Who.decode(get(hash, "who"));
        byte[] outcomeBytes = hash.get("outcome");
        Outcome outcome = outcomeBytes == null ? null : OutcomeBytes.decode(outcomeBytes);
        return new KeyRecord(
                who.key(),
                who.operation(),
                state(hash, now),
                (int) number(hash, "attempt"),
                number(hash, "token"),
                Fingerprint.fromBytes(get(hash, "fingerprint")),
                Micros.instant(number(hash, "claimed")),
                Micros.instant(number(hash, "until")),
                instant(hash, "settled"),
                instant(hash, "expires"),
                outcome,
                steps,
                history(hash.get("history")),
                who.traceId());
    }

    private static KeyState state(Map<String, byte[]> hash, long now) {
        String state = text(get(hash, "state"));
        return switch (state) {
            case "p" -> now < number(hash, "until") ? KeyState.PENDING : KeyState.LAPSED;
            case "u" -> KeyState.UNKNOWN;
            case "s", "f" ->
                now >= number(hash, "expires")
                        ? KeyState.EXPIRED
                        : state.equals("s") ? KeyState.SUCCEEDED : KeyState.FAILED;
            default -> throw new IllegalArgumentException("a record has the unknown state \"" + state + "\"");
        };
    }

    /** Entries as {@code note()} writes them: a line of numbers, of which the last two are the lengths of two texts. */
    private static List<HistoryEntry> history(byte @Nullable [] bytes) {
        List<HistoryEntry> entries = new ArrayList<>();
        int at = 0;
        while (bytes != null && at < bytes.length) {
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

    private static @Nullable Instant instant(Map<String, byte[]> hash, String field) {
        return hash.containsKey(field) ? Micros.instant(number(hash, field)) : null;
    }

    private static long number(Map<String, byte[]> hash, String field) {
        return Long.parseLong(text(get(hash, field)));
    }

    private static byte[] get(Map<String, byte[]> hash, String field) {
        byte[] value = hash.get(field);
        if (value == null) {
            throw new IllegalArgumentException("a record lacks its field " + field);
        }
        return value;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
