package dev.semel.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayBenchTest {

    @Test
    void theDocumentationListsEveryNumber(@TempDir Path directory) throws Exception {
        Rounds rounds = new Rounds();
        for (String name :
                List.of(GatewayBench.NGINX, GatewayBench.PASSTHROUGH, GatewayBench.SQLITE, GatewayBench.POSTGRES)) {
            rounds.add(name, new Result(1, 1, 1, 1, 1));
        }
        Path file = directory.resolve("numbers.json");
        GatewayBench.report(rounds).writeJson(file);
        String documentation = Files.readString(Path.of("../docs/benchmarks.md"));

        List<String> names = Files.readString(file)
                .lines()
                .filter(line -> line.contains("gateway."))
                .map(line -> line.strip().split("\"")[1])
                .toList();
        assertThat(names)
                .hasSize(6)
                .allSatisfy(name -> assertThat(documentation).contains("`" + name + "`"));
    }
}
