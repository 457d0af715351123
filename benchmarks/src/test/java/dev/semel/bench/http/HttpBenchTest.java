package dev.semel.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.bench.measure.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpBenchTest {

    @TempDir
    Path directory;

    @Test
    void measuresTheFilterAgainstThePlainServlet() throws Exception {
        Report report = new Report("test", "%s %s %s %s %s%n", "", "", "", "", "");
        try (HttpServer server = HttpServer.start()) {
            Duration brief = Duration.ofMillis(100);
            new HttpBench(server, new HttpBench.Effort(brief, 1, brief, 1, brief, 2)).run(report);
        }
        Path file = directory.resolve("numbers.json");
        report.writeJson(file);

        assertThat(Files.readString(file))
                .contains(
                        "\"http.filter.p50.ratio\"",
                        "\"http.filter.throughput.ratio\"",
                        "\"metrics.throughput.ratio\"");
    }
}
