package dev.semel.testkit.failures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of events that can end an operation, and their meaning for its key at each front end. The rows stand in
 * {@code incidents.txt}, each column in its own file beside it.
 */
public final class FailureMatrix {

    /**
     * A row of the table.
     *
     * @param id a short name, by which tests find it
     * @param what happens, as text
     */
    public record Incident(String id, String what, Map<FrontEnd, Meaning> meanings) {

        public Meaning at(FrontEnd frontEnd) {
            Meaning meaning = meanings.get(frontEnd);
            if (meaning == null) {
                throw new IllegalStateException("the failure matrix does not say what '" + id + "' means at "
                        + frontEnd.title() + ": add it to " + file(frontEnd));
            }
            return meaning;
        }
    }

    private final List<Incident> incidents;

    private FailureMatrix(List<Incident> incidents) {
        this.incidents = incidents;
    }

    public static FailureMatrix load() {
        Map<String, String> rows = lines("incidents.txt");
        Map<String, Map<FrontEnd, Meaning>> cells = new LinkedHashMap<>();
        rows.keySet().forEach(id -> cells.put(id, new EnumMap<>(FrontEnd.class)));
        for (FrontEnd frontEnd : FrontEnd.values()) {
            lines(file(frontEnd)).forEach((id, meaning) -> {
                Map<FrontEnd, Meaning> row = cells.get(id);
                if (row == null) {
                    throw new IllegalStateException(
                            file(frontEnd) + " has a line for '" + id + "', which is not in incidents.txt");
                }
                row.put(frontEnd, Meaning.of(meaning));
            });
        }
        return new FailureMatrix(rows.entrySet().stream()
                .map(row -> new Incident(row.getKey(), row.getValue(), row(cells, row.getKey())))
                .toList());
    }

    private static Map<FrontEnd, Meaning> row(Map<String, Map<FrontEnd, Meaning>> cells, String id) {
        @Nullable Map<FrontEnd, Meaning> row = cells.get(id);
        return row == null ? Map.of() : row;
    }

    private static String file(FrontEnd frontEnd) {
        return frontEnd.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".txt";
    }

    private static Map<String, String> lines(String file) {
        try (InputStream stream = FailureMatrix.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("the failure matrix lacks its file " + file);
            }
            Map<String, String> lines = new LinkedHashMap<>();
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split(": ", 2))
                    .forEach(parts -> lines.put(parts[0].strip(), parts[1].strip()));
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Incident> incidents() {
        return incidents;
    }

    /** The table as it stands in the documentation. */
    public String toMarkdown() {
        StringBuilder table = new StringBuilder("| what happens |");
        for (FrontEnd frontEnd : FrontEnd.values()) {
            table.append(' ').append(frontEnd.title()).append(" |");
        }
        table.append("\n|---|").append("---|".repeat(FrontEnd.values().length)).append('\n');
        for (Incident incident : incidents) {
            table.append("| ").append(incident.what()).append(" | ");
            table.append(Arrays.stream(FrontEnd.values())
                    .map(frontEnd -> incident.at(frontEnd).text())
                    .collect(Collectors.joining(" | ")));
            table.append(" |\n");
        }
        return table.toString();
    }
}
