package dev.semel.bench.http;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.Report;
import java.lang.management.ManagementFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the servlet filter. */
@Command(
        name = "http",
        description = {
            "Measures what the servlet filter adds to a request on Tomcat, with the store in memory.",
            "",
            "The same servlet is served with and without the filter, and with and without metrics, in turns. Numbers are"
                    + " ratios within one run."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class HttpCommand extends BenchCommand {

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        Report report = new Report(
                "HTTP: a request with and without the filter",
                "%-24s %10s %8s %10s %10s%n",
                "",
                "per second",
                "x plain",
                "p50 ms",
                "p99 ms");
        report.text("Tomcat, the store in memory, Java " + Runtime.version() + ", "
                + String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        try (HttpServer server = HttpServer.start()) {
            new HttpBench(server, quick ? HttpBench.Effort.QUICK : HttpBench.Effort.FULL).run(report);
        }
        return report;
    }
}
