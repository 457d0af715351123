package dev.semel.bench.retention;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.PostgresServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what it costs to remove keys. */
@Command(
        name = "retention",
        description = {
            "Measures what it costs to remove expired keys, in a table of millions of keys.",
            "",
            "The same table is purged in three ways: by an index on the expiry, block by block, and in generations; and these"
                    + " without and with an audit window. Then responses are kept as they are, compressed, and encrypted. Starts"
                    + " its own PostgreSQL server, with fsync and synchronous_commit on. Needs 15 GB of disk, with --quick 1 GB."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class RetentionCommand extends BenchCommand {

    @Option(names = "--quick", description = "a rough measurement with fewer keys, in less than a minute")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        Report report = new Report(
                "PostgreSQL: claim and settle while keys are removed",
                "%-24s %12s %12s %12s %12s %12s%n",
                "",
                "per second",
                "x without",
                "WAL B/op",
                "us per key",
                "p99 ms");
        try (PostgresServer server = PostgresServer.start()) {
            report.text(server.description());
            RetentionBench.Scale scale = quick ? RetentionBench.Scale.QUICK : RetentionBench.Scale.FULL;
            report.text(String.format(
                    "%,d standing keys; responses of %d bytes, Java %s",
                    scale.standingKeys(), Payload.of(Payload.newKey()).length(), Runtime.version()));
            new RetentionBench(server, scale, report).run();
        }
        return report;
    }
}
