package dev.semel.cli;

import dev.semel.cli.move.KeyCopy;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code semel keys copy}: copies keys from one store to another, for a change of engines. */
@Command(
        name = "copy",
        description = {
            "Copies settled and unknown keys from one store to another, while both are in use.",
            "",
            "A key that the other store already has stays unchanged there. Pending keys belong to the node that runs their"
                    + " operation, and are not copied: copy again when they have ended. Start an interrupted copy again to"
                    + " continue it."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class CopyCommand implements Callable<Integer> {

    private static final Logger audit = LoggerFactory.getLogger("dev.semel.audit");

    @Spec
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "URL", description = "The store that has the keys.")
    private String from;

    @Option(names = "--to", required = true, paramLabel = "URL", description = "The store to copy them to.")
    private String to;

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Override
    public Integer call() throws Exception {
        if (from.equals("memory:") || to.equals("memory:")) {
            throw new ParameterException(spec.commandLine(), "an in-memory store cannot be copied");
        }
        if (from.equals(to)) {
            throw new ParameterException(spec.commandLine(), "--from and --to are the same store");
        }
        try (OpenStore source = StoreUrls.openExisting(from, null);
                OpenStore target = StoreUrls.open(to)) {
            Optional<Inspecting> keys = KeyStore.capability(source.keys(), Inspecting.class);
            Optional<Importing> place = KeyStore.capability(target.keys(), Importing.class);
            if (keys.isEmpty() || place.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "these stores cannot be copied from and to");
            }
            return copy(keys.get(), place.get());
        }
    }

    private int copy(Inspecting source, Importing target) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        String question = "copy keys from " + StoreUrls.redacted(from) + " to " + StoreUrls.redacted(to) + "?";
        if (!yes && !KeysCommand.confirmed(out, question)) {
            return 1;
        }
        KeyCopy copy = new KeyCopy(source, target, spec.commandLine().getErr());
        try {
            copy.run();
        } finally {
            audit.info(
                    "event=copy by=cli:{} from={} to={} {}",
                    System.getProperty("user.name", "?"),
                    StoreUrls.redacted(from),
                    StoreUrls.redacted(to),
                    copy.summary());
        }
        out.println(json ? copy.toJson().encode() : copy.inWords());
        out.flush();
        return copy.failed() == 0 ? 0 : 1;
    }
}
