package dev.semel.testkit.failures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The table of failures and their effects in the engine: the failure, the place where the operation met it, and for
 * each mode and recovery the state of the key, the answer to this caller, and the answer to the next.
 */
final class EngineFailures {

    static final String NOT_APPLICABLE = "–";

    /** One combination that must be tested. */
    record Cell(String failure, String place, RunMode mode, Ending expected) {

        String title() {
            return failure + ", " + place + ", " + mode;
        }
    }

    /** The state of a key, and the answers to its callers. */
    record Ending(String state, String caller, String next) {

        @Override
        public String toString() {
            return state + ", " + caller + ", " + next;
        }
    }

    private final Map<String, String> groups = new LinkedHashMap<>();
    private final List<String[]> rows = new ArrayList<>();

    private EngineFailures(Stream<String> lines) {
        lines.filter(line -> !line.isBlank()).forEach(line -> {
            String[] group = line.split(" = ", 2);
            if (group.length == 2) {
                groups.put(group[0], group[1]);
            } else {
                rows.add(Stream.of(line.split("\\|")).map(String::strip).toArray(String[]::new));
            }
        });
    }

    static EngineFailures load() {
        try (InputStream stream = EngineFailures.class.getResourceAsStream("engine.txt")) {
            if (stream == null) {
                throw new IllegalStateException("the failure matrix lacks its file engine.txt");
            }
            return new EngineFailures(
                    new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)).lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every combination of a failure, a place and one of these modes that can happen. */
    List<Cell> cells(List<RunMode> modes) {
        List<String> columns = Arrays.asList(rows.get(0));
        List<Cell> cells = new ArrayList<>();
        for (String[] row : rows.subList(1, rows.size())) {
            for (RunMode mode : modes) {
                String text = row[columns.indexOf(mode.column())];
                if (text.equals(NOT_APPLICABLE)) {
                    continue;
                }
                String[] ending =
                        text.replace("by recovery", mode.afterALapse()).split(", ");
                Ending expected = new Ending(ending[0], ending[1], ending[2]);
                for (String failure : groups.getOrDefault(row[0], row[0]).split("; ")) {
                    for (String place : row[1].split("; ")) {
                        cells.add(new Cell(failure, place, mode, expected));
                    }
                }
            }
        }
        return cells;
    }

    /** The table as it stands in the documentation. */
    String toMarkdown() {
        StringBuilder table = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            table.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                table.append("|---".repeat(rows.get(0).length)).append("|\n");
            }
        }
        groups.forEach((name, members) ->
                table.append("\n*").append(name).append("*: ").append(members).append(".\n"));
        return table.toString();
    }
}
