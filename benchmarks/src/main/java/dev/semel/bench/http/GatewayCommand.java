package dev.semel.bench.http;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.Report;
import dev.semel.testservers.TempDirectory;
import java.time.Duration;
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
public final class GatewayCommand extends BenchCommand {

    @Option(names = "--quick", description = "a rough measurement, in about a minute")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        try (TempDirectory directory = TempDirectory.create("bench")) {
            return quick
                    ? new GatewayBench(directory.path(), Duration.ofSeconds(10), Duration.ofSeconds(2), 2).run()
                    : new GatewayBench(directory.path(), Duration.ofSeconds(30), Duration.ofSeconds(8), 5).run();
        }
    }
}
