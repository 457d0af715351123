package dev.semel.bench;

import dev.semel.bench.engine.EngineCommand;
import dev.semel.bench.http.GatewayCommand;
import dev.semel.bench.http.HttpCommand;
import dev.semel.bench.messaging.MessagingCommand;
import dev.semel.bench.postgres.PostgresCommand;
import dev.semel.bench.retention.RetentionCommand;
import dev.semel.bench.scale.ScaleCommand;
import dev.semel.bench.stores.StoresCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The benchmarks' command line. */
@Command(
        name = "semel bench",
        description = "Measures Semel on servers that the benchmark starts and stops itself.",
        mixinStandardHelpOptions = true,
        subcommands = {
            PostgresCommand.class,
            RetentionCommand.class,
            EngineCommand.class,
            StoresCommand.class,
            MessagingCommand.class,
            HttpCommand.class,
            GatewayCommand.class,
            ScaleCommand.class,
            HelpCommand.class
        },
        synopsisSubcommandLabel = "NAME",
        usageHelpAutoWidth = true)
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs a benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
