package dev.semel.cli.move;

import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.Map;

/** How many rows an import has read, and what happened to each. */
final class ImportCounts {

    /** What can happen to a row. */
    enum Count {
        IMPORTED("imported"),
        KNOWN("known to the store already, and left unchanged"),
        EXPIRED("expired"),
        LEFT_OUT("in progress and left out"),
        REJECTED("rejected");

        private final String words;

        Count(String words) {
            this.words = words;
        }
    }

    private final Map<Count, Long> counts = new EnumMap<>(Count.class);

    void add(Count count) {
        counts.merge(count, 1L, Long::sum);
    }

    long of(Count count) {
        return counts.getOrDefault(count, 0L);
    }

    long rows() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    ImportCounts copy() {
        return of(toJson());
    }

    static ImportCounts of(JsonObject json) {
        ImportCounts read = new ImportCounts();
        for (Count count : Count.values()) {
            read.counts.put(count, json.getLong(name(count), 0L));
        }
        return read;
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        for (Count count : Count.values()) {
            json.put(name(count), of(count));
        }
        return json;
    }

    private static String name(Count count) {
        return count == Count.LEFT_OUT ? "leftOut" : count.words.split(" ", 2)[0];
    }

    /** @param imported the word for rows that are imported, or would be */
    String inWords(String imported) {
        StringBuilder words = new StringBuilder(rows() + " rows");
        for (Count count : Count.values()) {
            if (of(count) > 0 || count == Count.IMPORTED) {
                words.append(", ").append(of(count)).append(' ');
                words.append(count == Count.IMPORTED ? imported : count.words);
            }
        }
        return words.toString();
    }
}
