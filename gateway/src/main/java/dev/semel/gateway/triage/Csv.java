package dev.semel.gateway.triage;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values as in RFC 4180. A cell that a spreadsheet would take for a formula is written with an apostrophe in
 * front, which is removed again when it is read.
 */
public final class Csv {

    private static final String FORMULA = "=+-@\t\r'";

    private Csv() {}

    public static String line(List<String> cells) {
        return cells.stream().map(Csv::cell).collect(Collectors.joining(",")) + "\r\n";
    }

    private static String cell(String text) {
        String guarded = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return quoted(guarded);
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /**
     * A row whose cells stand for themselves, for a database and not for a spreadsheet. A missing value is an empty cell, and
     * empty text is quoted, as {@code COPY} of PostgreSQL reads it.
     */
    public static String exactLine(List<@Nullable String> cells) {
        return cells.stream()
                        .map(cell -> cell == null ? "" : cell.isEmpty() ? "\"\"" : quoted(cell))
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    /**
     * Reads all rows and skips empty lines.
     *
     * @param mostRows the maximum number of rows
     */
    public static List<List<String>> read(String text, int mostRows) {
        List<List<String>> rows = new ArrayList<>();
        try (CsvReader reader = new CsvReader(new StringReader(text))) {
            for (List<String> row = reader.next(); row != null; row = reader.next()) {
                if (rows.size() == mostRows) {
                    throw new IllegalArgumentException("the file has more than " + mostRows + " rows: split it");
                }
                rows.add(row.stream().map(Csv::unguarded).toList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    private static String unguarded(String cell) {
        return cell.length() > 1 && cell.charAt(0) == '\'' && FORMULA.indexOf(cell.charAt(1)) >= 0
                ? cell.substring(1)
                : cell;
    }
}
