package dev.semel.http.shadow;

import dev.semel.http.shadow.ShadowTotals.Count;
import dev.semel.http.shadow.ShadowTotals.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The stored form of counts: a line with the format, then one line for each row. */
final class TotalsText {

    private static final String FORMAT = "semel-shadow 1";
    private static final int COLUMNS = 5;

    private TotalsText() {}

    static String write(Map<Row, Count> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue().times() + "\t" + entry.getValue().first() + "\t"
                        + entry.getValue().last() + "\t" + entry.getKey().what() + "\t"
                        + entry.getKey().operation())
                .collect(Collectors.joining("\n", FORMAT + "\n", "\n"));
    }

    /** The counts of a caller. Lines of a later version that this one does not know are left out. */
    static Map<Row, Count> read(String scope, String text) {
        Map<Row, Count> counts = new LinkedHashMap<>();
        text.lines().skip(1).forEach(line -> {
            String[] columns = line.split("\t", COLUMNS);
            if (columns.length == COLUMNS) {
                counts.merge(
                        new Row(scope, columns[4], columns[3]),
                        new Count(Long.parseLong(columns[0]), Long.parseLong(columns[1]), Long.parseLong(columns[2])),
                        Count::and);
            }
        });
        return counts;
    }
}
