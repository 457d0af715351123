package dev.semel.bench.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBenchTest {

    @TempDir
    Path directory;

    @Test
    void measuresTheStoreAndTheEngineAgainstNaive() throws Exception {
        Report report = new Report("test");
        Duration brief = Duration.ofMillis(100);
        try (PostgresServer server = PostgresServer.startForShortTurns()) {
            MeasurementPlan plan = new MeasurementPlan(brief, brief, 1, List.of(32), 1_000);
            new PostgresReport(new PostgresBench(server, plan).run(), report).write();
        }
        Path file = directory.resolve("numbers.json");
        report.writeJson(file);

        assertThat(Files.readString(file))
                .contains(
                        "\"postgres.throughput.ratio.32\"",
                        "\"postgres.throughput.ratio.256\"",
                        "\"postgres.throughput.ratio.512\"",
                        "\"postgres.throughput.ratio.256.engine\"",
                        "\"postgres.throughput.ratio.256.threads\"",
                        "\"postgres.engine.ratio.256\"",
                        "\"postgres.engine.ratio.256.threads\"",
                        "\"postgres.p99.ratio.256\"",
                        "\"postgres.p50.ratio.1\"",
                        "\"postgres.openloop.p99.ratio\"",
                        "\"postgres.replay.ratio\"",
                        "\"postgres.wal.ratio\"",
                        "\"postgres.bytesPerKey.ratio\"",
                        "\"postgres.scale.ratio.5m\"",
                        "\"peer.dbos.semel.ratio.256\"");
    }
}
