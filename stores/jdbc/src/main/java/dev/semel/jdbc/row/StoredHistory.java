package dev.semel.jdbc.row;

import dev.semel.spi.KeyRecord.HistoryEntry;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a key's history: one line per entry, its time, attempt, token, event and note separated by
 * tabs. Databases append to it, and cut off its beginning when it gets long.
 */
public final class StoredHistory {

    private static final int FIELDS = 5;
    private static final int MOST = 16_000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private StoredHistory() {}

    /** A history with one more line, cut at the front when it gets long. */
    static String append(@Nullable String history, Instant at, int attempt, long token, String event, String note) {
        String place = TIME.format(at) + "\t" + attempt + "\t" + token;
        String longer =
                (history == null ? "" : history) + place + "\t" + event + "\t" + EscapedText.escape(note) + "\n";
        return longer.substring(Math.max(0, longer.length() - MOST));
    }

    /** The stored form of a history; {@code null} if it is empty. */
    public static @Nullable String encode(List<HistoryEntry> entries) {
        String history = null;
        for (HistoryEntry entry : entries) {
            history = append(history, entry.at(), entry.attempt(), entry.token(), entry.event(), entry.note());
        }
        return history;
    }

    public static List<HistoryEntry> decode(@Nullable String stored) {
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
