package dev.semel.gateway.triage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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
        boolean plain = guarded.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? guarded : '"' + guarded.replace("\"", "\"\"") + '"';
    }

    /**
     * Reads all rows; empty lines are none.
     *
     * @param mostRows more are refused
     */
    public static List<List<String>> read(String text, int mostRows) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        boolean wasQuoted = false;
        // A byte order mark, which spreadsheets write.
        int first = text.startsWith("\ufeff") ? 1 : 0;
        for (int i = first; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '\n';
            if (quoted && i < text.length()) {
                if (c != '"') {
                    cell.append(c);
                } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else {
                    quoted = false;
                }
            } else if (quoted) {
                throw new IllegalArgumentException("row " + (rows.size() + 1) + " ends inside of quotes");
            } else if (c == '"' && cell.length() == 0 && !wasQuoted) {
                quoted = true;
                wasQuoted = true;
            } else if (c == ',' || c == '\n') {
                row.add(unguarded(cell.toString()));
                cell.setLength(0);
                wasQuoted = false;
                if (c == '\n') {
                    add(rows, row, mostRows);
                    row = new ArrayList<>();
                }
            } else if (c != '\r') {
                cell.append(c);
            }
        }
        return rows;
    }

    private static void add(List<List<String>> rows, List<String> row, int mostRows) {
        if (row.size() == 1 && row.get(0).isEmpty()) {
            return;
        }
        if (rows.size() == mostRows) {
            throw new IllegalArgumentException("the file has more than " + mostRows + " rows: split it");
        }
        rows.add(row);
    }

    private static String unguarded(String cell) {
        return cell.length() > 1 && cell.charAt(0) == '\'' && FORMULA.indexOf(cell.charAt(1)) >= 0
                ? cell.substring(1)
                : cell;
    }
}
