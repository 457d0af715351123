package dev.semel.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.bench.http.Wrk;
import dev.semel.bench.measure.Report;
import dev.semel.bench.scale.ScaleBench.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleBenchTest {

    @TempDir
    Path directory;

    @Test
    void comparesSeveralGatewaysWithOneInTheSameRound() throws Exception {
        Map<String, List<Turn>> turns = new LinkedHashMap<>();
        turns.put("1", List.of(turn(100, 0), turn(200, 0), turn(300, 0)));
        for (String load : List.of("2", "4", "2.spread", "4.spread", "race.4")) {
            turns.put(load, List.of(turn(110, 0.002), turn(200, 0.002), turn(330, 0.002)));
        }
        Report report = new Report("test", "%s%s%s%s%s%s%s%s%n", "", "", "", "", "", "", "", "");
        Duration brief = Duration.ofSeconds(1);
        new ScaleBench(
                        directory,
                        0,
                        new Wrk("wrk", directory),
                        new Effort(Node.Compiler.BRIEF, brief, brief, 1),
                        report)
                .tell("postgres", turns);
        Path file = directory.resolve("numbers.json");
        report.writeJson(file);

        assertThat(Files.readString(file))
                .contains(
                        "\"scale.postgres.cpu.ratio.2\": 1.1,",
                        "\"scale.postgres.cpu.ratio.4\": 1.1,",
                        "\"scale.postgres.cpu.ratio.4.spread\": 1.1,",
                        "\"scale.postgres.cpu.server.ratio.4\": 1.1,",
                        "\"scale.postgres.cpu.gateway.ratio.4\": 1.1,",
                        "\"scale.postgres.log.ratio.4\": 1.1,",
                        "\"scale.postgres.roundtrips.ratio.4\": 1.1,",
                        "\"scale.postgres.throughput.ratio.4\": 1.1,",
                        "\"scale.postgres.fairness.4\": 0.9,",
                        "\"scale.postgres.lockwaits.4\": 2.0,",
                        "\"scale.postgres.lockwaits.race.4\": 2.0,",
                        "\"scale.postgres.waits.race.4\"")
                .doesNotContain("ratio.1\"", "ratio.race");
    }

    private static Turn turn(double work, double lockWaits) {
        return new Turn(work, 0.9, work, work, work, work, work, work, work, lockWaits, 0);
    }
}
