package dev.semel.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code semel} command line.
 *
 * <p>Exit codes: 0 when the command did its work, 1 when it failed, 2 when it was called wrongly.
 */
@Command(
        name = "semel",
        description = "Makes operations with side effects safe to retry.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {SchemaCommand.class, HelpCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        usageHelpAutoWidth = true,
        headerHeading = "%n",
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the command failed", "2:the command line was wrong"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel serve --upstream http://127.0.0.1:9000",
            "  semel --version        print the version of Semel and of Java",
            "  semel help COMMAND     explain one command"
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).addSubcommand(ServeCommand.commandLine());
    }

    /** Shows the help: there is nothing to do without a command. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
