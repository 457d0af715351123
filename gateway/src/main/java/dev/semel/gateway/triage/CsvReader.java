package dev.semel.gateway.triage;

import java.io.Closeable;
import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads comma-separated values row by row, with each cell as it stands. */
public final class CsvReader implements Closeable {

    private static final int END = -1;

    /** The byte order mark that spreadsheets write. */
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final PushbackReader text;
    private long rows;

    /** The reader should be buffered. */
    public CsvReader(Reader text) throws IOException {
        this.text = new PushbackReader(text, 1);
        int first = text.read();
        if (first != BYTE_ORDER_MARK && first != END) {
            this.text.unread(first);
        }
    }

    /** The next row that is not an empty line, or {@code null} at the end. */
    public @Nullable List<String> next() throws IOException {
        int c = text.read();
        while (c == '\r' || c == '\n') {
            c = text.read();
        }
        if (c == END) {
            return null;
        }
        text.unread(c);
        rows++;
        List<String> row = new ArrayList<>();
        do {
            c = cell(row);
        } while (c == ',');
        return row;
    }

    /** Reads a cell into the row, and returns the character that ended it. */
    private int cell(List<String> row) throws IOException {
        StringBuilder cell = new StringBuilder();
        int c = text.read();
        if (c == '"') {
            quoted(cell);
            c = text.read();
        }
        while (c != ',' && c != '\n' && c != END) {
            if (c != '\r') {
                cell.append((char) c);
            }
            c = text.read();
        }
        row.add(cell.toString());
        return c;
    }

    private void quoted(StringBuilder cell) throws IOException {
        while (true) {
            int c = text.read();
            if (c == END) {
                throw new IllegalArgumentException("row " + rows + " ends inside of quotes");
            }
            if (c == '"') {
                int next = text.read();
                if (next != '"') {
                    if (next != END) {
                        text.unread(next);
                    }
                    return;
                }
            }
            cell.append((char) c);
        }
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
