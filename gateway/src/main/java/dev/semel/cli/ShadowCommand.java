package dev.semel.cli;

import dev.semel.Namespace;
import dev.semel.gateway.config.Parse;
import dev.semel.http.shadow.ShadowReport;
import dev.semel.util.CallerThread;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code semel shadow}: shows what shadow mode has found. */
@Command(
        name = "shadow",
        description = "Shows what shadow mode has found.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  semel shadow report --store sqlite:semel.db",
            "  semel shadow report --store jdbc:postgresql://db/semel --since 24h --json"
        })
final class ShadowCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private ShadowCommand() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "report",
            description = "Shows which operations ran twice and for which callers, and whether keys can be required."
                    + " Counts reach the"
                    + " store within a minute.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int report(
            @Mixin KeysOptions common,
            @Option(
                            names = "--since",
                            paramLabel = "DURATION",
                            defaultValue = "7d",
                            description = "How far the report goes back, at most 8 days (default: ${DEFAULT-VALUE}).")
                    String since,
            @Option(
                            names = "--namespace",
                            paramLabel = "vN:NAME",
                            description = "The key space, as for semel serve. Default: all of them.")
                    @Nullable
                    String namespace)
            throws Exception {
        Duration period = SemelCommand.read(spec, () -> Parse.positiveDuration(since));
        Optional<Namespace> keySpace =
                SemelCommand.read(spec, () -> Optional.ofNullable(namespace).map(Namespace::parse));
        return common.run((store, keys) -> {
            ShadowReport report = CallerThread.await(ShadowReport.read(keys, keySpace.orElse(null), period));
            return common.isJson()
                    ? common.end(new JsonObject(report.json()))
                    : common.end(0, report.text().stripTrailing());
        });
    }
}
