package dev.semel.jdbc;

import dev.semel.spi.KeyRecord.HistoryEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stored form of a key's history: one line per entry, its time, attempt, token, event and note separated by
 * tabs. Databases append to it, and cut off its beginning when it gets long.
 */
final class HistoryLines {

    private static final int FIELDS = 5;

    private HistoryLines() {}

    static List<HistoryEntry> decode(@Nullable String stored) {
        if (stored == null) {
            return List.of();
        }
        List<HistoryEntry> history = new ArrayList<>();
        for (String line : stored.split("\n")) {
            String[] fields = line.split("\t", FIELDS);
            if (fields.length == FIELDS && fields[0].endsWith("Z") && fields[0].length() == 27) {
                history.add(new HistoryEntry(
                        Instant.parse(fields[0]),
                        Integer.parseInt(fields[1]),
                        Long.parseLong(fields[2]),
                        fields[3],
                        EscapedText.unescape(fields[4])));
            }
        }
        return history;
    }
}
