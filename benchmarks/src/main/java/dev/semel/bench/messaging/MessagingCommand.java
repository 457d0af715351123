package dev.semel.bench.messaging;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.WarmUp;
import dev.semel.bench.server.PostgresServer;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the consumers and the outbox, each with and without Semel. */
@Command(
        name = "messaging",
        description = {
            "Measures consumers of Kafka, SQS and RabbitMQ, and the outbox, each with and without Semel.",
            "",
            "Starts its own Kafka, ElasticMQ, Qpid and PostgreSQL. The handler inserts a row for each message, from as many"
                    + " threads with as without. Numbers are ratios within one run."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MessagingCommand extends BenchCommand {

    /**
     * How much is measured.
     *
     * @param warmUps how many rounds there are at most that do not count
     * @param rounds how many count
     * @param first how many messages are consumed in each measurement before it counts
     */
    record Effort(
            int warmUps,
            int rounds,
            int first,
            int kafkaRecords,
            int sqsMessages,
            int rabbitMessages,
            MeasurementPlan plan) {

        static final Effort QUICK = new Effort(3, 2, 200, 3_000, 600, 1_000, MeasurementPlan.QUICK);
        static final Effort FULL = new Effort(5, 3, 1_000, 20_000, 3_000, 10_000, MeasurementPlan.FULL);
    }

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        Report report = new Report(
                "Messages per second, with and without Semel", "%-36s %10s %8s%n", "", "per second", "x plain");
        try (PostgresServer postgres = PostgresServer.start()) {
            report.text(postgres.description() + ", Java " + Runtime.version());
            OutboxBench.run(postgres, effort, report);
            KafkaBench.run(postgres, effort, report);
            SqsBench.run(postgres, effort, report);
            RabbitBench.run(postgres, effort, report);
        }
        return report;
    }

    /** Does something for a while, or until all is done, and says how much that was per second. */
    @FunctionalInterface
    interface Measurement {
        double perSecond(String what, boolean warmUp) throws Exception;
    }

    /** Makes some measurements in turns, and adds a row for each, compared with the first. */
    static Rounds compare(Effort effort, Report report, List<String> names, Measurement measurement) throws Exception {
        Rounds rounds = new Rounds();
        Progress progress = new Progress(names.size() * (effort.warmUps() + effort.rounds()));
        WarmUp.untilTheCompilerRests(effort.warmUps(), () -> {
            for (String what : names) {
                progress.next(what);
                measurement.perSecond(what, true);
            }
        });
        for (int round = 0; round < effort.rounds(); round++) {
            for (String what : names) {
                progress.next(what);
                rounds.add(what, new Result(measurement.perSecond(what, false), -1, -1, -1, -1));
            }
        }
        progress.end();
        for (String what : names) {
            report.row(
                    what,
                    String.format(Locale.ROOT, "%,.0f", rounds.median(what, Result::perSecond)),
                    String.format(Locale.ROOT, "%.2f", rounds.throughput(what, names.get(0))));
        }
        return rounds;
    }
}
