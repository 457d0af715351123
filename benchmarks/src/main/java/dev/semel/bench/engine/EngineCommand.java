package dev.semel.bench.engine;

import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the engine without a database. */
@Command(
        name = "engine",
        description = "Measures with JMH what a call costs in the engine itself, on the in-memory store.",
        mixinStandardHelpOptions = true)
public final class EngineCommand implements Callable<Integer> {

    @Option(names = "--quick", description = "a rough measurement, in less than a minute")
    private boolean quick;

    @Override
    public Integer call() throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(EngineBenchmark.class.getName())
                .forks(quick ? 1 : 3)
                .warmupIterations(quick ? 2 : 5)
                .measurementIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.seconds(1))
                .measurementTime(TimeValue.seconds(1));
        new Runner(options.build()).run();
        return 0;
    }
}
