package dev.semel.cli.move;

import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.triage.CsvReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file, whose first row names the columns. A row's position is its number. */
final class CsvRows implements RowSource {

    private final CsvReader reader;
    private final List<String> names;
    private long number;

    private CsvRows(CsvReader reader, List<String> names) {
        this.reader = reader;
        this.names = names;
    }

    /** @param from the position to begin at, or {@code null} for the first row */
    static CsvRows open(Path file, TableMapping mapping, @Nullable Object from) throws IOException {
        CsvReader reader = new CsvReader(Files.newBufferedReader(file));
        List<String> names = reader.next();
        List<String> known = names == null ? List.of() : names;
        for (String column : mapping.columns().values()) {
            if (!known.contains(column)) {
                reader.close();
                throw new ConfigException(
                        file + ": there is no column \"" + column + "\"; the first row names " + known);
            }
        }
        CsvRows rows = new CsvRows(reader, known);
        long first = from == null ? 1 : ((Number) from).longValue();
        while (rows.number < first - 1 && reader.next() != null) {
            rows.number++;
        }
        return rows;
    }

    @Override
    public @Nullable SourceRow next() throws IOException {
        List<String> row = reader.next();
        if (row == null) {
            return null;
        }
        number++;
        Map<String, Object> cells = new HashMap<>();
        for (int i = 0; i < Math.min(names.size(), row.size()); i++) {
            if (!row.get(i).isEmpty()) {
                cells.put(names.get(i), row.get(i));
            }
        }
        return new SourceRow(number, cells);
    }

    /** The properties that must be the same when reading continues later from a position. */
    static String version(Path file) throws IOException {
        return Files.size(file) + " bytes of " + Files.getLastModifiedTime(file);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
