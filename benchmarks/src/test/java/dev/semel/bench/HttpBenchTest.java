package dev.semel.bench;

import static org.assertj.core.api.Assertions.assertThat;

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
            new HttpBench(server, Duration.ofMillis(100), 1).run(report);
        }
        Path file = directory.resolve("numbers.json");
        report.writeJson(file);

        assertThat(Files.readString(file)).contains("\"http.filter.p50.ratio\"", "\"http.filter.throughput.ratio\"");
    }
}
