package dev.semel.bench.scale;

import dev.semel.bench.http.Wrk;
import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.Report;
import dev.semel.bench.scale.ScaleBench.Effort;
import dev.semel.bench.server.Nginx;
import dev.semel.bench.server.ServerProcess;
import dev.semel.testservers.TempDirectory;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures several gateways on one store. */
@Command(
        name = "scale",
        description = {
            "Measures 1, 2 and 4 gateways on one PostgreSQL and on one Redis Cluster, with wrk on the loopback: what they do"
                    + " together, how evenly, and the work for each request.",
            "",
            "Needs Debian's wrk and nginx. Everything shares the processors of this machine, so more gateways cannot do"
                    + " more; the work for a request should stay the same."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ScaleCommand extends BenchCommand {

    private static final String ROW = "%-22s %11s %9s %11s %12s %10s %12s %14s%n";

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Option(
            names = "--figures",
            paramLabel = "FILE",
            description = "also measure what \"semel plan\" computes with, and write it to this file")
    private @Nullable Path figures;

    @Override
    protected Report measure() throws Exception {
        Effort effort = quick
                ? new Effort(Node.Compiler.BRIEF, Duration.ofSeconds(4), Duration.ofSeconds(1), 1)
                : new Effort(Node.Compiler.FULL, Duration.ofSeconds(15), Duration.ofSeconds(4), 3);
        Report report = new Report(
                "Gateways on one store: requests of new keys, and the work for each",
                ROW,
                "",
                "per second",
                "fairness",
                "server µs",
                "gateway µs",
                "log bytes",
                "round trips",
                "lock waits ‰");
        report.text(Runtime.getRuntime().availableProcessors() + " processors, Java " + Runtime.version());
        FigureBench measured = new FigureBench();
        try (TempDirectory directory = TempDirectory.create("bench");
                ServerProcess service = Nginx.service(directory.path(), FigureBench.SIZES)) {
            Wrk wrk = Wrk.find(directory.path());
            ScaleBench bench = new ScaleBench(directory.path(), service.port(), wrk, effort, report);
            try (SharedPostgres postgres = SharedPostgres.start()) {
                run(postgres, bench, measured);
            }
            try (SharedRedisCluster redis = SharedRedisCluster.start()) {
                run(redis, bench, measured);
            }
        }
        if (figures != null) {
            measured.write(figures);
        }
        return report;
    }

    private void run(SharedStore store, ScaleBench bench, FigureBench measured) throws Exception {
        bench.report().text(store.description());
        bench.run(store);
        if (figures != null) {
            measured.measure(store, bench);
        }
    }
}
