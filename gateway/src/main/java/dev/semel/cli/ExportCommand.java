package dev.semel.cli;

import dev.semel.cli.move.TableExport;
import dev.semel.gateway.triage.KeyFile;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.util.CallerThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code semel keys export}: keys as a file, to compare with the list of a processor. */
@Command(
        name = "export",
        description =
                "Writes keys as CSV or JSON, the latest first. Fill in the column executed (yes or no) and decide them"
                        + " with semel keys import.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ExportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private KeysOptions common;

    @Option(
            names = "--where",
            paramLabel = "CONDITIONS",
            description = {KeyWhere.HELP, "Default: state=unknown; with --with-responses all keys."})
    private @Nullable String where;

    @Option(
            names = "--format",
            paramLabel = "csv|json",
            defaultValue = "csv",
            description = "Default: ${DEFAULT-VALUE}.")
    private String format;

    @Option(names = "--output", paramLabel = "FILE", description = "The file to write; by default the terminal.")
    private @Nullable Path output;

    @Option(
            names = "--with-responses",
            description =
                    "Every key that --where finds, however many, with its stored response: to fill a table of your own."
                            + " Needs --output and --store. Rows are in no order, JSON is one object per line, and bodies are in"
                            + " base64.")
    private boolean withResponses;

    @Override
    public Integer call() throws Exception {
        if (!format.equals("csv") && !format.equals("json")) {
            throw new ParameterException(spec.commandLine(), "--format must be csv or json, got \"" + format + "\"");
        }
        if (withResponses) {
            return exportWithResponses();
        }
        return common.withMany((target, now) -> {
            KeySearch.Found found = target.find(
                    KeyWhere.parse(where == null ? "state=unknown" : where, false, now), KeySearch.MOST_EXPORTED);
            String text = format.equals("csv") ? KeyFile.csv(found.keys()) : KeyFile.json(found.keys()) + "\n";
            if (output == null) {
                common.out().print(text);
            } else {
                Files.writeString(output, text);
                common.out().println("exported: " + found.keys().size() + " keys");
            }
            if (!found.complete()) {
                spec.commandLine()
                        .getErr()
                        .println(
                                "there are more keys than these " + found.keys().size() + ": narrow --where");
            }
            common.out().flush();
            return found.complete() ? 0 : 1;
        });
    }

    private int exportWithResponses() throws Exception {
        Path file = output;
        if (file == null) {
            throw new ParameterException(
                    spec.commandLine(), "--with-responses needs --output FILE, which only you can read");
        }
        return common.run((store, keys) -> {
            KeyWhere wanted = KeyWhere.parse(where == null ? "" : where, false, CallerThread.await(store.now()));
            TableExport export = new TableExport(
                    store, format.equals("csv"), spec.commandLine().getErr());
            export.write(file, wanted.queries(TableExport.PAGE));
            return common.end(0, "exported: " + export.written() + " keys");
        });
    }
}
