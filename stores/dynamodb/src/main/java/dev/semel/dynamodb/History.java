package dev.semel.dynamodb;

import dev.semel.spi.KeyRecord.HistoryEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A key's history: how it began, and what happened last, because it shares an item with the rest of the record. */
final class History {

    private static final int FIRST = 5;
    private static final int LAST = 50;

    private History() {}

    static AttributeValue entry(Instant at, int attempt, long token, String event, String note) {
        return AttributeValue.fromM(Map.of(
                "at", Values.time(at),
                "attempt", Values.number(attempt),
                "token", Values.number(token),
                "event", Values.text(event),
                "note", Values.text(note)));
    }

    /** A history of these entries, without those in the middle when there are many. */
    static AttributeValue of(List<AttributeValue> entries) {
        if (entries.size() <= FIRST + LAST) {
            return AttributeValue.fromL(entries);
        }
        List<AttributeValue> kept = new ArrayList<>(entries.subList(0, FIRST));
        kept.addAll(entries.subList(entries.size() - LAST, entries.size()));
        return AttributeValue.fromL(kept);
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
