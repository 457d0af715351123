package dev.semel.cli;

import dev.semel.cli.plan.PlanCommand;
import dev.semel.gateway.config.ConfigException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code semel} command line.
 *
 * <p>Exit codes: 0 when the command did its work, 1 when it failed or changed nothing, 2 when it was called or configured
 * wrongly, 3 when there is no such key.
 */
@Command(
        name = "semel",
        description = "Makes operations with side effects safe to retry.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            CheckCommand.class,
            DemoCommand.class,
            KeysCommand.class,
            OpenApiCommand.class,
            PlanCommand.class,
            SchemaCommand.class,
            ShadowCommand.class,
            HelpCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        usageHelpAutoWidth = true,
        headerHeading = "%n",
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:the command failed, or nothing was changed",
            "2:the command line or the configuration was wrong",
            "3:there is no such key"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel demo             see it at work",
            "  semel serve --upstream http://127.0.0.1:9000",
            "  semel check http://127.0.0.1:8080/charges",
            "  semel keys list --store sqlite:semel.db --state unknown",
            "  semel plan --rate 5000 --retention 24h --response 2kB",
            "  semel --version        print the version of Semel and of Java",
            "  semel help COMMAND     explain one command"
        })
public final class SemelCommand implements Runnable {

    private static final int NO_SUCH_KEY = 3;

    private static final Logger log = LoggerFactory.getLogger(SemelCommand.class);

    @Spec
    private CommandSpec spec;

    private SemelCommand() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SemelCommand())
                .addSubcommand(ServeCommand.commandLine())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(SemelCommand::explainMisuse)
                .setExecutionExceptionHandler(SemelCommand::explain);
    }

    /** Prints the error and where to find help, because the whole help would hide the error. */
    private static int explainMisuse(ParameterException misuse, String[] args) {
        CommandLine command = misuse.getCommandLine();
        String.valueOf(misuse.getMessage())
                .lines()
                .forEach(line -> command.getErr().println("semel: " + line));
        boolean suggested = UnmatchedArgumentException.printSuggestions(misuse, command.getErr());
        if (!suggested && !(misuse.getCause() instanceof ConfigException)) {
            command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        }
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Prints one line for the error; the stack trace is in the log at debug level. */
    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (failure instanceof ConfigException) {
            String message = String.valueOf(failure.getMessage());
            return explainMisuse(new ParameterException(command, message, failure), new String[0]);
        }
        log.debug("the command failed", failure);
        command.getErr().println("semel: " + (failure.getMessage() == null ? failure : failure.getMessage()));
        if (failure instanceof NoSuchKeyException) {
            return NO_SUCH_KEY;
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** What a reader makes of the options of a command; an {@link IllegalArgumentException} explains their misuse. */
    static <T> T read(CommandSpec command, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** Shows the help: there is nothing to do without a command. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
