package dev.semel.bench.postgres;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the PostgreSQL store. */
@Command(
        name = "postgres",
        description = {
            "Measures the PostgreSQL store against the obvious design and against others.",
            "",
            "Starts its own server, with fsync and synchronous_commit on, and measures all designs in turns. Numbers are"
                    + " ratios within one run, so that they mean something on any machine; a busy one makes them vague."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class PostgresCommand extends BenchCommand {

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "where to draw the throughputs (default: ${DEFAULT-VALUE})")
    private Path chart = Path.of("target", "bench-postgres.svg");

    @Override
    protected Report measure() throws Exception {
        Report report = new Report("PostgreSQL: throughput of claim and settle, as a multiple of naive");
        try (PostgresServer server = PostgresServer.startForShortTurns()) {
            report.text(server.description());
            report.text("responses of " + Payload.of(Payload.newKey()).length() + " bytes, Java " + Runtime.version());
            Rounds rounds = new PostgresBench(server, quick ? MeasurementPlan.QUICK : MeasurementPlan.FULL).run();
            new PostgresReport(rounds, report).write();
        }
        return report;
    }

    @Override
    protected void draw(Report report) throws IOException {
        report.writeChart(chart);
        System.out.println("chart: " + chart);
    }
}
