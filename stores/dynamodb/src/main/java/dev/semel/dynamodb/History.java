package dev.semel.dynamodb;

import dev.semel.spi.KeyRecord.HistoryEntry;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Entries of a key's history. */
final class History {

    private History() {}

    static AttributeValue entry(Instant at, int attempt, long token, String event, String note) {
        return AttributeValue.fromM(Map.of(
                "at", Values.time(at),
                "attempt", Values.number(attempt),
                "token", Values.number(token),
                "event", Values.text(event),
                "note", Values.text(note)));
    }

    static HistoryEntry read(AttributeValue entry) {
        return new HistoryEntry(
                Values.time(get(entry, "at")),
                Integer.parseInt(get(entry, "attempt").n()),
                Long.parseLong(get(entry, "token").n()),
                get(entry, "event").s(),
                get(entry, "note").s());
    }

    private static AttributeValue get(AttributeValue entry, String name) {
        return Objects.requireNonNull(entry.m().get(name), name);
    }
}
