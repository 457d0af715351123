package dev.semel.bench.engine;

import dev.semel.bench.measure.BenchCommand;
import dev.semel.bench.measure.Report;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the engine without a database. */
@Command(
        name = "engine",
        description =
                "Measures what a call costs in the engine itself, and the memory of one in flight, on the in-memory store.",
        mixinStandardHelpOptions = true)
public final class EngineCommand extends BenchCommand {

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Override
    protected Report measure() throws Exception {
        Report report = new Report("The engine on the in-memory store", "%-24s %10s%n", "", "ns");
        report.text("nothing is durable: keys are in memory");
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(EngineBenchmark.class.getName())
                .forks(quick ? 1 : 3)
                .warmupIterations(quick ? 2 : 5)
                .measurementIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.seconds(1))
                .measurementTime(TimeValue.seconds(1));
        for (RunResult run : new Runner(options.build()).run()) {
            Result<?> result = run.getPrimaryResult();
            report.row(result.getLabel(), Math.round(result.getScore()));
            report.number("engine." + result.getLabel() + ".nanos", result.getScore());
        }
        report.number("engine.bytesPerInFlight", OperationsInFlight.bytesPerOperation());
        return report;
    }
}
