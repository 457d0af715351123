package dev.semel.bench.messaging;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.server.PostgresServer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the consumers and the outbox, each with and without Semel. */
@Command(
        name = "messaging",
        description = {
            "Measures consumers of Kafka and SQS, and the outbox, each with and without Semel.",
            "",
            "Starts its own Kafka, ElasticMQ and PostgreSQL. The handler inserts a row for each message, from as many"
                    + " threads with as without. Numbers are ratios within one run."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MessagingCommand implements Callable<Integer> {

    /**
     * How much is measured.
     *
     * @param rounds how often, after one that does not count
     */
    record Effort(int rounds, int kafkaRecords, int sqsMessages, MeasurementPlan plan) {

        static final Effort QUICK = new Effort(2, 3_000, 600, MeasurementPlan.QUICK);
        static final Effort FULL = new Effort(3, 20_000, 3_000, MeasurementPlan.FULL);
    }

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "where to write the numbers, as one flat JSON object")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        Report report = new Report(
                "Messages per second, with and without Semel", "%-36s %10s %8s%n", "", "per second", "x plain");
        try (PostgresServer postgres = PostgresServer.start()) {
            report.text(postgres.description() + ", Java " + Runtime.version());
            OutboxBench.run(postgres, effort, report);
            KafkaBench.run(postgres, effort, report);
            SqsBench.run(postgres, effort, report);
        }
        report.print(System.out);
        if (json != null) {
            report.writeJson(json);
            System.out.println("numbers: " + json);
        }
        return 0;
    }

    /** Adds the rows of some measurements, each compared with the first. */
    static void rows(Report report, Rounds rounds, String plain) {
        for (String what : rounds.names()) {
            report.row(
                    what,
                    String.format(Locale.ROOT, "%,.0f", rounds.median(what, Result::perSecond)),
                    String.format(Locale.ROOT, "%.2f", ratio(rounds, what, plain)));
        }
    }

    static double ratio(Rounds rounds, String what, String plain) {
        return rounds.median(what, plain, (ours, theirs) -> ours.perSecond() / theirs.perSecond());
    }

    static Result perSecond(double value) {
        return new Result(value, -1, -1, -1, -1);
    }
}
