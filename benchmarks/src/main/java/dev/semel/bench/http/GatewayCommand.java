package dev.semel.bench.http;

import dev.semel.bench.measure.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the gateway. */
@Command(
        name = "gateway",
        description = {
            "Measures the gateway against nginx as a plain proxy, with wrk on the loopback.",
            "",
            "Needs Debian's wrk and nginx. Everything runs on this machine, so the numbers are what is left when client,"
                    + " proxy, service and database share its processors; ratios within one run are what to compare."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class GatewayCommand implements Callable<Integer> {

    @Option(names = "--quick", description = "a rough measurement, in about a minute")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "where to write the numbers, as one flat JSON object")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("semel-bench");
        try {
            Report report = (quick
                            ? new GatewayBench(directory, Duration.ofSeconds(10), Duration.ofSeconds(2), 2)
                            : new GatewayBench(directory, Duration.ofSeconds(40), Duration.ofSeconds(10), 5))
                    .run();
            report.print(System.out);
            if (json != null) {
                report.writeJson(json);
                System.out.println("numbers: " + json);
            }
            return 0;
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
