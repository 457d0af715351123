package dev.semel.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path directory;

    @Test
    void writesNumbersAsOneFlatObjectInOrder() throws IOException {
        Report report = new Report("title");
        report.number("b.second", 2);
        report.number("a.first", 1.23456);
        report.number("c.missing", Double.NaN);
        Path file = directory.resolve("new/numbers.json");

        report.writeJson(file);

        assertThat(Files.readString(file)).isEqualTo("{\n  \"a.first\": 1.235,\n  \"b.second\": 2.0\n}\n");
    }

    @Test
    void drawsABarForEachValue() throws IOException {
        Report report = new Report("a < b");
        report.bar("naive", 1);
        report.bar("semel", 10);
        Path file = directory.resolve("chart.svg");

        report.writeChart(file);

        assertThat(Files.readString(file))
                .startsWith("<svg ")
                .contains("a &lt; b", ">naive<", ">semel<", ">10.0<")
                .endsWith("</svg>\n");
    }
}
