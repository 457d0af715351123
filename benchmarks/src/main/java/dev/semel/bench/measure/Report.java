package dev.semel.bench.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a benchmark found: a text, a table, numbers, and bars for a chart. */
public final class Report {

    private static final String ROW = "%-24s %10s %8s %10s %10s %9s %9s%n";

    private final String title;
    private final String rowFormat;
    private final List<String> text = new ArrayList<>();
    private final List<String> table = new ArrayList<>();
    private final Map<String, Double> numbers = new TreeMap<>();
    private final SvgChart chart;

    /** A report whose table has a row format, and a first row, of its own. */
    public Report(String title, String rowFormat, Object... header) {
        this.title = title;
        this.rowFormat = rowFormat;
        this.chart = new SvgChart(title);
        row(header);
    }

    public Report(String title) {
        this(title, ROW, "", "per second", "x naive", "p50 ms", "p99 ms", "WAL B/op", "B/key");
    }

    public void text(String line) {
        text.add(line);
    }

    public void row(Object... cells) {
        table.add(String.format(Locale.ROOT, rowFormat, cells));
    }

    /** Leaves out what could not be measured, for example because nothing ended in time. */
    public void number(String name, double value) {
        if (Double.isFinite(value)) {
            numbers.put(name, Math.round(value * 1000) / 1000.0);
        } else {
            text(name + " could not be measured");
        }
    }

    public void bar(String label, double value) {
        chart.bar(label, value);
    }

    public void print(PrintStream out) {
        out.println(title);
        text.forEach(out::println);
        out.println();
        table.forEach(out::print);
        out.println();
        numbers.forEach((name, value) -> out.printf(Locale.ROOT, "%-44s %s%n", name, value));
    }

    public void writeJson(Path file) throws IOException {
        String members = numbers.entrySet().stream()
                .map(entry -> "  \"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
        write(file, members);
    }

    public void writeChart(Path file) throws IOException {
        write(file, chart.toString());
    }

    private static void write(Path file, String content) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.writeString(file, content);
    }
}
